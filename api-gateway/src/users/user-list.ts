import type { ListMeta, Sort, UserStatus } from '@cairn/gateway-contracts'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { HttpFailure } from '../http/failure.ts'
import { toMeta } from '../http/pages.ts'
import { USER_COLUMNS, type UserRow } from './user.ts'

export const SEARCH_USERS_MAX = 1_000

export interface UserFilter {
  page: number
  limit: number
  sort: Sort
  q?: string | undefined
  status?: UserStatus | undefined
  from?: string | undefined
  to?: string | undefined
}

export async function listUserRows(
  db: Database,
  filter: UserFilter,
): Promise<{ rows: readonly UserRow[]; meta: ListMeta }> {
  let query = db.selectFrom('identity.user').where('deleted_at', 'is', null)
  if (filter.q !== undefined && filter.q !== '') {
    const pattern = toPattern(filter.q)
    query = query.where((where) =>
      where.or([where('name', 'ilike', pattern), where('email', 'ilike', pattern)]),
    )
  }
  if (filter.status !== undefined) query = query.where('status', '=', filter.status)
  if (filter.from !== undefined) query = query.where('created_at', '>=', new Date(filter.from))
  if (filter.to !== undefined) query = query.where('created_at', '<', new Date(filter.to))
  const direction = filter.sort === 'createdAt' ? 'asc' : 'desc'
  const rows = await query
    .select(USER_COLUMNS)
    .orderBy('created_at', direction)
    .orderBy('id', direction)
    .limit(filter.limit)
    .offset((filter.page - 1) * filter.limit)
    .execute()
  const { total } = await query
    .select(sql<number>`count(*)::int`.as('total'))
    .executeTakeFirstOrThrow()
  return { rows, meta: toMeta(filter, total) }
}

/** Those whose name or e-mail contains the text, for lists that the ledger keeps. */
export async function searchUserIds(db: Database, q: string): Promise<readonly string[]> {
  const pattern = toPattern(q)
  const rows = await db
    .selectFrom('identity.user')
    .select('id')
    .where('role', '=', 'user')
    .where((where) => where.or([where('name', 'ilike', pattern), where('email', 'ilike', pattern)]))
    .limit(SEARCH_USERS_MAX + 1)
    .execute()
  if (rows.length > SEARCH_USERS_MAX) {
    throw new HttpFailure(422, 'SEARCH_TOO_WIDE', 'Narrow your search')
  }
  return rows.map(({ id }) => id)
}

export async function countInvestors(
  db: Database,
): Promise<{ users: number; active: number; pending: number }> {
  return await db
    .selectFrom('identity.user')
    .select([
      sql<number>`count(*)::int`.as('users'),
      sql<number>`(count(*) filter (where status = 'active'))::int`.as('active'),
      sql<number>`(count(*) filter (where status = 'pending'))::int`.as('pending'),
    ])
    .where('role', '=', 'user')
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
}

function toPattern(q: string): string {
  return `%${q.replace(/[\\%_]/g, '\\$&')}%`
}
