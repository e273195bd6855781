import { type Expression, sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'

export interface ReferrerRow {
  id: string
  referred: number
  active: number
}

/** The place of a row in the order. It stays valid if the user has lost all referrals. */
export type ReferrerRank = Pick<ReferrerRow, 'id' | 'referred'>

interface ReferrerPlace {
  page: number
  limit: number
  after?: string | ReferrerRank | undefined
  before?: string | undefined
}

/**
 * Returns a page of the users with referrals, sorted by the number of referrals, descending. If the
 * page ends before a given row, the query reads backwards from that row, and the result is reversed.
 */
export async function listReferrerRows(
  db: Database,
  { page, limit, after, before }: ReferrerPlace,
): Promise<readonly ReferrerRow[]> {
  const isBackwards = after === undefined && before !== undefined
  const direction = isBackwards ? 'desc' : 'asc'
  const anchor = after ?? before
  let query = db
    .with('counted', (part) =>
      part
        .selectFrom('identity.user')
        .select([
          sql<string>`referrer_id`.as('id'),
          sql<number>`count(*)::int`.as('referred'),
          sql<number>`(count(*) filter (where status = 'active'))::int`.as('active'),
        ])
        .where('referrer_id', 'is not', null)
        .groupBy('referrer_id'),
    )
    .selectFrom('counted')
    .selectAll()
    .orderBy(sql`-referred`, direction)
    .orderBy('id', direction)
    .limit(limit)
    .offset(anchor === undefined ? (page - 1) * limit : 0)
  if (anchor !== undefined) query = query.where(isBeyondReferrer(anchor, isBackwards))
  const rows = await query.execute()
  return isBackwards ? rows.reverse() : rows
}

function isBeyondReferrer(
  anchor: string | ReferrerRank,
  isBackwards: boolean,
): Expression<boolean> {
  const place =
    typeof anchor === 'string'
      ? sql`(select -referred, id from counted where id = ${anchor})`
      : sql`(${-anchor.referred}::int, ${anchor.id}::text)`
  return isBackwards
    ? sql<boolean>`(-referred, id) < ${place}`
    : sql<boolean>`(-referred, id) > ${place}`
}

export async function countReferrers(db: Database): Promise<number> {
  const { total } = await db
    .selectFrom('identity.user')
    .select(sql<number>`count(distinct referrer_id)::int`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}
