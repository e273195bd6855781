import type { PublicSettings } from '@cairn/gateway-contracts'
import type { Database } from '../../platform/database/database.ts'

/** Counts the entries that the public pages show, by kind. */
export async function countShownEndorsements(
  db: Database,
): Promise<PublicSettings['endorsementCounts']> {
  const rows = await db
    .selectFrom('platform.endorsement')
    .select(({ fn }) => ['kind', fn.countAll<bigint>().as('count')])
    .where('is_visible', '=', true)
    .groupBy('kind')
    .execute()
  const getCount = (kind: string) => Number(rows.find((row) => row.kind === kind)?.count ?? 0)
  return { testimonial: getCount('testimonial'), sponsor: getCount('sponsor') }
}
