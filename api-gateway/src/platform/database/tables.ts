import type { ColumnType, Generated } from 'kysely'
import type { ContentTables } from './content-tables.ts'

type Moment = ColumnType<Date, Date, Date>
type MaybeMoment = ColumnType<Date | null, Date | null, Date | null>
type Defaulted = ColumnType<Date, Date | undefined, Date>
type LateMoment = ColumnType<Date | null, Date | null | undefined, Date | null>
type MaybeReminder = ColumnType<number | null, number | null | undefined, number | null>
// Whole cents and places in the log come and go as text: a float would round them.
type Int8 = ColumnType<string, string | bigint, string | bigint>
type Json = ColumnType<unknown, string, string>

export interface Tables extends ContentTables {
  'identity.user': {
    id: string
    email: string
    name: string
    phone: string
    country: string
    first_address: string
    second_address: string | null
    town_city: string | null
    gender: 'Male' | 'Female' | null
    reason: string | null
    employment_status: string | null
    tax_residence: string | null
    tax_number: string | null
    role: 'user' | 'admin'
    status: 'pending' | 'active' | 'deactivated' | 'denied'
    account_id: string
    referrer_id: string | null
    /** By default that of the site. */
    ledger_id: Generated<number>
    password_hash: string
    email_verified_at: MaybeMoment
    activation_wanted_at: MaybeMoment
    password_changed_at: Defaulted
    password_reminder: MaybeReminder
    is_reset_required: Generated<boolean>
    mfa_enabled_at: LateMoment
    credential_hold_until: LateMoment
    pending_email: ColumnType<string | null, string | null | undefined, string | null>
    last_login_at: LateMoment
    deleted_at: LateMoment
    photo_id: ColumnType<string | null, string | null | undefined, string | null>
    created_at: Moment
    updated_at: Moment
  }
  'identity.session': {
    token_hash: Buffer
    user_id: string
    is_remembered: Generated<boolean>
    mfa_at: LateMoment
    idle_seconds: number
    created_at: Moment
    last_seen_at: Moment
    expires_at: Moment
    ip: string
    user_agent: string
  }
  'identity.login_attempt': {
    email_hash: Buffer
    failures: number
    next_at: Moment
    updated_at: Moment
  }
  'identity.email_code': {
    id: string
    user_id: string
    pending_hash: Buffer
    code_hmac: Buffer
    tries: Generated<number>
    created_at: Moment
    expires_at: Moment
    closed_at: MaybeMoment
  }
  'identity.login_challenge': {
    token_hash: Buffer
    user_id: string
    is_remembered: boolean
    created_at: Moment
    expires_at: Moment
  }
  'identity.totp': {
    user_id: string
    sealed: Buffer
    last_step: ColumnType<string, string | number | undefined, string | number>
    tries: Generated<number>
    tries_since: Moment
    created_at: Moment
  }
  'identity.recovery_code': { user_id: string; code_hmac: Buffer; used_at: LateMoment }
  'identity.link_token': {
    token_hash: Buffer
    purpose: 'reset' | 'setup'
    user_id: string | null
    created_at: Moment
    expires_at: Moment
    used_at: LateMoment
  }
  'identity.email_change': {
    user_id: string
    code_hmac: Buffer
    tries: Generated<number>
    created_at: Moment
    expires_at: Moment
  }
  'identity.code_mail': { address_hash: Buffer; sent_at: Moment }
  'identity.outbox': {
    id: string
    kind: string
    user_id: string
    sealed: Buffer | null
    request_id: string | null
    created_at: Moment
    handed_over_at: MaybeMoment
    sent_at: MaybeMoment
  }
  'platform.file': {
    id: string
    owner_id: string
    purpose: 'receipt' | 'payment-option' | 'photo' | 'attestation'
    media_type: 'image/jpeg' | 'image/png'
    /** Null: they are in the object store. */
    bytes: Buffer | null
    size_bytes: number
    sha256: string
    created_at: Moment
    /** Null: nothing is known to refer to it. */
    referenced_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  }
  'platform.bank_account': {
    id: string
    user_id: string
    bank_name: string
    account_number: string
    account_name: string
    account_type: 'savings Account' | 'Current Account' | 'Fix Deposit Account' | 'Others'
    label: string | null
    is_default: Generated<boolean>
    confirmed_at: MaybeMoment
    /** Null until it is confirmed. */
    usable_from: MaybeMoment
    created_at: Moment
    archived_at: MaybeMoment
  }
  'platform.payment_option': {
    id: string
    pay_option: 'Bank Transfer' | 'Mobile Wallet' | 'Crypto Wallet'
    bank: string
    account_number: string
    image_id: string | null
    extra: string | null
    explorer_url: string | null
    is_visible: boolean
    changed_by: string | null
    changed_at: MaybeMoment
    created_at: Moment
    archived_at: MaybeMoment
  }
  'platform.payment_option_version': {
    payment_option_id: string
    valid_from: Moment
    bank: string
    account_number: string
    extra: string | null
  }
  'platform.deposit_reference': {
    transaction_id: string
    reference: string
    user_id: string
    payment_option_id: string
    issued_at: Moment
    used_at: MaybeMoment
  }
  'platform.deposit_hash': {
    transaction_id: string
    user_id: string
    hash: string
    created_at: Moment
  }
  'platform.keyed_request': {
    user_id: string
    key: string
    request_hash: Buffer
    subject_id: string
    status: number | null
    body: string | null
    created_at: Moment
  }
  'platform.cursor': { name: string; seq: Int8; updated_at: Moment }
  'platform.mail_delivery': { message_id: string; kind: string; sent_at: Moment }
  'platform.site': {
    id: 'site'
    ledger_id: number
  }
  'platform.setting': {
    id: 'site'
    version: number
    content: Json
    updated_at: Moment
    updated_by: string | null
  }
  'platform.audit': {
    id: string
    recorded_at: Moment
    actor_id: string | null
    action: string
    subject: string | null
    ip: string
    request_id: string
    details: Json
  }
}
