import { Readable } from 'node:stream'
import type { Dependencies } from '../../platform/dependencies.ts'
import type { RowPage } from '../../platform/http/list-export.ts'
import type { FileAnswer } from '../../platform/http/registry.ts'
import { readPreferences } from '../../platform/settings-store/preferences.ts'
import { listOwnActivity } from '../audit-log/index.ts'
import { listRemovedAccounts } from '../banks/index.ts'
import { listPage as listInvestments, toInvestment } from '../investments/index.ts'
import { listOwnNotifications } from '../notifications/index.ts'
import { listSessions } from '../sessions/index.ts'
import { listPage as listTransactions, toTransaction } from '../transactions/index.ts'
import { getUserRow, presentUser, type UserRow } from '../users/index.ts'

const ROWS_PER_READ = 1_000
const ABOUT =
  'The data of your account on this site. Payment proofs and statements are separate files: download them from your transactions and from Settings. Notes of the administrators are not included.'

type Person = { userId: string; nowMs: number }

/**
 * Streams the data of one user as JSON. The lists have the formats of the list endpoints and are
 * read page by page.
 */
export async function exportPersonalData(
  deps: Pick<Dependencies, 'clock' | 'db' | 'ledger' | 'settings'>,
  person: Person,
): Promise<FileAnswer> {
  const exportedAt = new Date(person.nowMs).toISOString()
  const { user, ...rest } = await readPerson(deps, person)
  const lists = {
    transactions: () => readTransactions(deps, person),
    investments: () => readInvestments(deps, person),
    notifications: () =>
      readAllPages((before) =>
        listOwnNotifications(deps.db, { ...person, limit: ROWS_PER_READ, before }),
      ),
    activity: () =>
      readAllPages((before) =>
        listOwnActivity(deps.db, { ...person, limit: ROWS_PER_READ, before }),
      ),
  }
  const single = { exportedAt, about: ABOUT, profile: user, ...rest }
  return {
    mediaType: 'application/json; charset=utf-8',
    bytes: Readable.from(writeJson(single, lists)),
    fileName: `my-data-${exportedAt.slice(0, 10)}.json`,
    isDownload: true,
  }
}

/**
 * Reads the parts that are not lists. The function runs before the response starts, so that an
 * unavailable ledger is still reported as 503.
 */
async function readPerson(
  deps: Pick<Dependencies, 'clock' | 'db' | 'ledger' | 'settings'>,
  { userId, nowMs }: Person,
) {
  const { db } = deps
  const row = await getUserRow(db, userId)
  const [user, removedBankAccounts, preferences, sessions, messages, accepted] = await Promise.all([
    presentUser(deps, row),
    listRemovedAccounts(db, { userId, nowMs }),
    readPreferences(db, userId),
    listSessions(db, { userId, sessionHash: '', nowMs }),
    db
      .selectFrom('platform.contact_message')
      .select(['message', 'created_at as sentAt'])
      .where('email', '=', row.email)
      .orderBy('created_at')
      .execute(),
    db
      .selectFrom('platform.risk_acceptance as tick')
      .innerJoin('platform.risk_text as said', 'said.version', 'tick.version')
      .select(['tick.investment_id as investment', 'tick.accepted_at as acceptedAt', 'said.text'])
      .where('tick.user_id', '=', userId)
      .orderBy('tick.accepted_at')
      .execute(),
  ])
  const registration = toRegistrationRecord(row)
  return {
    user,
    registration,
    removedBankAccounts,
    preferences,
    sessions,
    messages,
    acceptedRiskWarnings: accepted,
  }
}

/** Returns the registration data that no page shows. */
function toRegistrationRecord(row: UserRow) {
  return {
    reason: row.reason,
    employmentStatus: row.employment_status,
    taxResidence: row.tax_residence,
    taxNumber: row.tax_number,
    emailVerifiedAt: row.email_verified_at,
    passwordChangedAt: row.password_changed_at,
  }
}

function readTransactions(
  deps: Pick<Dependencies, 'db' | 'ledger'>,
  { userId: ownerId }: Person,
): AsyncGenerator<unknown> {
  return readAllPages(async (after) => {
    const { transactions, meta } = await listTransactions(deps, toPageQuery(after), { ownerId })
    return { rows: transactions.map(toTransaction), next: meta.next }
  })
}

function readInvestments(
  deps: Pick<Dependencies, 'db' | 'ledger'>,
  { userId: ownerId }: Person,
): AsyncGenerator<unknown> {
  return readAllPages(async (after) => {
    const { investments, meta } = await listInvestments(deps, toPageQuery(after), { ownerId })
    return { rows: investments.map(toInvestment), next: meta.next }
  })
}

function toPageQuery(after: string | undefined) {
  return { page: 1, limit: ROWS_PER_READ, after, sort: '-createdAt' } as const
}

async function* readAllPages<Row>(
  read: (after: string | undefined) => Promise<RowPage<Row>>,
): AsyncGenerator<Row> {
  for (let after: string | undefined; ; ) {
    const { rows, next } = await read(after)
    yield* rows
    if (next === null) return
    after = next
  }
}

/** Writes one JSON object. Each list is read only when it is about to be written. */
async function* writeJson(
  single: Readonly<Record<string, unknown>>,
  lists: Readonly<Record<string, () => AsyncIterable<unknown>>>,
): AsyncGenerator<string> {
  yield JSON.stringify(single, null, 2).replace(/\n\}$/, '')
  for (const [name, read] of Object.entries(lists)) {
    yield `,\n  ${JSON.stringify(name)}: [`
    let separator = '\n    '
    for await (const row of read()) {
      yield `${separator}${JSON.stringify(row)}`
      separator = ',\n    '
    }
    yield '\n  ]'
  }
  yield '\n}\n'
}
