import { type ListMeta, MASKED_FIELDS, type Sort, type UserStatus } from '@cairn/gateway-contracts'
import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { escapeLikePattern } from '../../platform/database/like-pattern.ts'
import type { Tables } from '../../platform/database/tables.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { formatCursor, parseCursor, toMeta, toOffset } from '../../platform/http/pages.ts'
import { USER_COLUMNS, type UserRow } from './user.ts'

export const SEARCH_USERS_MAX = 1_000

export interface UserFilter {
  page: number
  limit: number
  /** The page begins after this row: an id, or a cursor of `toCursor`. */
  after?: string | undefined
  before?: string | undefined
  sort: Sort
  q?: string | undefined
  status?: UserStatus | undefined
  name?: 'pending' | undefined
  from?: string | undefined
  to?: string | undefined
}

/** The administrator who searches. The permissions decide which addresses a search finds. */
export type Searcher = Pick<Caller, 'permissions'>

export async function listUserRows(
  db: Database,
  filter: UserFilter,
  searcher: Searcher,
): Promise<{ rows: readonly ListedRow[]; meta: ListMeta }> {
  let query = db.selectFrom('identity.user').where('deleted_at', 'is', null)
  if (filter.q !== undefined && filter.q !== '') {
    query = query.where(isFound(filter.q, searcher))
  }
  if (filter.status !== undefined) query = query.where('status', '=', filter.status)
  if (filter.name === 'pending') query = query.where('pending_name', 'is not', null)
  if (filter.from !== undefined) query = query.where('created_at', '>=', new Date(filter.from))
  if (filter.to !== undefined) query = query.where('created_at', '<', new Date(filter.to))
  const rows = await selectPage(query, filter)
  const { total } = await query
    .select(sql<number>`count(*)::int`.as('total'))
    .executeTakeFirstOrThrow()
  return { rows, meta: toMeta(filter, { total, rows: rows.length, lastId: rows.at(-1)?.id }) }
}

/** `sort_amount` is the amount by which the list is sorted; null if it is sorted by time. */
type ListedRow = UserRow & { sort_amount: string | null }

/** Returns the cursor at which an export continues after the row. */
export function toCursor({ id, sort_amount: amount }: ListedRow): string {
  return formatCursor({ id, amount: amount === null ? null : BigInt(amount) })
}

type Selection = SelectQueryBuilder<Tables, 'identity.user', object>

/**
 * Selects a page. If the page ends before a given row, the query reads backwards from that row, and
 * the result is reversed.
 */
async function selectPage(query: Selection, filter: UserFilter): Promise<readonly ListedRow[]> {
  const { after, before, sort } = filter
  const isBackwards = after === undefined && before !== undefined
  const isAscending = sort.startsWith('-') === isBackwards
  const direction = isAscending ? 'asc' : 'desc'
  const isByAmount = sort.endsWith('amount')
  const key = isByAmount ? AVAILABLE : sql<unknown>`identity.user.created_at`
  const amount = sql<string | null>`${isByAmount ? sql`(${AVAILABLE})::text` : sql`null`}`
  let page = query
    .select(USER_COLUMNS)
    .select(amount.as('sort_amount'))
    .orderBy(key, direction)
    .orderBy('id', direction)
    .limit(filter.limit)
    .offset(toOffset(filter))
  const anchor = after ?? before
  if (anchor !== undefined) page = page.where(isBeyondCursor({ anchor, key, isAscending }))
  const rows = await page.execute()
  return isBackwards ? rows.reverse() : rows
}

/**
 * The available amount by which users are sorted, in minor units: the sum of the three wallets. It
 * is a copy that a follower of the log updates; the amounts shown come from the ledger.
 * Administrators have no wallet and are sorted below every investor.
 */
const AVAILABLE = sql<unknown>`case when role = 'admin' then -1 else coalesce((select available_minor
  from platform.investor_available where investor_id = identity.user.id), 0) end`

/**
 * Returns the ids of users whom a search for this text finds. Searches in lists of the ledger use
 * these ids.
 */
export async function searchUserIds(
  db: Database,
  q: string,
  searcher: Searcher,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('identity.user')
    .select('id')
    .where('role', '=', 'user')
    .where(isFound(q, searcher))
    .limit(SEARCH_USERS_MAX + 1)
    .execute()
  if (rows.length > SEARCH_USERS_MAX) {
    throw new HttpFailure(422, 'SEARCH_TOO_WIDE', 'Narrow your search')
  }
  return rows.map(({ id }) => id)
}

export interface InvestorCounts {
  users: number
  active: number
  pending: number
  oldestPendingAt: Date | null
  pendingNames: number
}

/**
 * Counts all investors, and the investors who wait for an approval or for the review of a new name.
 */
export async function countInvestors(db: Database): Promise<InvestorCounts> {
  return await db
    .selectFrom('identity.user')
    .select([
      sql<number>`count(*)::int`.as('users'),
      sql<number>`(count(*) filter (where status = 'active'))::int`.as('active'),
      sql<number>`(count(*) filter (where status = 'pending'))::int`.as('pending'),
      sql<Date | null>`min(created_at) filter (where status = 'pending')`.as('oldestPendingAt'),
      sql<number>`count(pending_name)::int`.as('pendingNames'),
    ])
    .where('role', '=', 'user')
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
}

function isBeyondCursor({
  anchor,
  key,
  isAscending,
}: {
  anchor: string
  key: RawBuilder<unknown>
  isAscending: boolean
}): RawBuilder<SqlBool> {
  const { id, amount } = parseCursor(anchor)
  const position =
    amount === null
      ? sql`(select ${key}, id from identity.user where id = ${id})`
      : sql`(${amount}::bigint, ${id}::text)`
  return isAscending
    ? sql<SqlBool>`(${key}, id) > ${position}`
    : sql<SqlBool>`(${key}, id) < ${position}`
}

/**
 * Returns the condition that the name or the email address contains the text. For an administrator
 * who sees addresses masked, only a complete address matches: one search for each character would
 * otherwise reveal the whole address.
 */
export function isFound(q: string, { permissions }: Searcher): RawBuilder<SqlBool> {
  const text = escapeLikePattern(q)
  const part = `%${text}%`
  const address = permissions.has(MASKED_FIELDS.email.permission) ? part : text
  return sql<SqlBool>`(identity.user.name ilike ${part} or identity.user.email ilike ${address})`
}
