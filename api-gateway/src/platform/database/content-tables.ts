import type { ColumnType, Generated } from 'kysely'

type Moment = ColumnType<Date, Date, Date>
type MaybeMoment = ColumnType<Date | null, Date | null, Date | null>
type Day = ColumnType<string, string, string>
type Int8 = ColumnType<string, string | bigint, string | bigint>
type Json = ColumnType<unknown, string, string>

/** The tables of the gateway except users, sessions and requests. */
export interface ContentTables {
  'platform.faq': {
    id: string
    question: string
    answer: string
    position: number
    is_visible: boolean
    updated_at: Moment
  }
  'platform.notification': {
    id: string
    user_id: string
    source: string
    kind: string
    title: string
    body: string
    link: string | null
    created_at: Moment
    read_at: MaybeMoment
  }
  'platform.mail_template': {
    kind: string
    subject: string
    body: string
    updated_by: string
    updated_at: Moment
  }
  'platform.paper': {
    id: string
    kind: 'statement' | 'certificate'
    investor_id: string
    subject: string
    bytes: Buffer
    sha256: string
    made_at: Moment
  }
  'platform.preference': { user_id: string; content: Json; updated_at: Moment }
  'platform.risk_text': { version: string; text: string }
  'platform.risk_acceptance': {
    investment_id: string
    user_id: string
    version: string
    country: string
    accepted_at: Moment
  }
  'platform.user_note': {
    id: string
    user_id: string
    author_id: string
    text: string
    created_at: Moment
  }
  'platform.contact_message': {
    id: string
    name: string
    email: string
    message: string
    ip: string
    created_at: Moment
    mailed_at: MaybeMoment
    answered_at: MaybeMoment
  }
  'platform.claim': {
    key: string
    content: Json
    stated_by: string
    stated_at: Moment
    approved_by: string | null
    approved_at: MaybeMoment
  }
  'platform.attestation': {
    id: string
    as_of: Day
    assets_minor: Int8
    note: string | null
    file_id: string
    file_sha256: string
    made_by: string
    made_at: Moment
    confirmed_by: string | null
    confirmed_at: MaybeMoment
  }
  'platform.bank_code': {
    account_id: string
    code_hmac: Buffer
    tries: Generated<number>
    expires_at: Moment
    sent_at: Moment
  }
  'platform.operator_day': { day: Day; kind: string; amount_minor: Int8 }
  'platform.operator_quarter': { at: Moment; kind: string; amount_minor: Int8 }
  'platform.investor_quarter': {
    investor_id: string
    at: Moment
    available_minor: Int8
    held_minor: Int8
    principal_minor: Int8
    profit_minor: Int8
  }
  'platform.flow_quarter': {
    at: Moment
    deposits_minor: Int8
    withdrawals_minor: Int8
    profit_minor: Int8
    invested_minor: Int8
  }
  'platform.cash_movement': {
    option: string
    seq: Int8
    type: string
    amount_minor: Int8
    effective_on: Day
    reference: string | null
    payout_word: string | null
  }
  'platform.bank_statement': {
    id: string
    option: string
    file_sha256: string
    first_on: Day
    last_on: Day
    opening_minor: ColumnType<string | null, string | bigint | null, never>
    closing_minor: ColumnType<string | null, string | bigint | null, never>
    lines: number
    lines_added: number
    imported_by: string
    imported_at: Moment
  }
  'platform.bank_line': {
    id: string
    statement_id: string
    option: string
    booked_on: Day
    amount_minor: Int8
    reference: string
    words: string[]
    line_hash: string
  }
  'platform.bank_match': {
    line_id: string
    option: string
    seq: Int8
    matched_by: string | null
    reason: string | null
    matched_at: Moment
  }
  'platform.plan_source': {
    plan_id: string
    version: number
    text: string | null
    needs_approval: boolean
    stated_by: string
    stated_at: Moment
    approved_by: string | null
    approved_at: MaybeMoment
  }
}
