import { sql } from 'kysely'
import type { DatabaseTransaction } from '../../platform/database/database.ts'
import { floorToQuarterHour } from './curves.ts'

/** A change of an amount of an investor, at a time. */
export interface InvestorAmount {
  investorId: string
  at: string
  amountMinor: bigint
}

/** Sums the changes of each investor in each quarter of an hour. */
export function sumByQuarter(changes: readonly InvestorAmount[]): readonly InvestorAmount[] {
  const sums = new Map<string, InvestorAmount>()
  for (const { investorId, at: changedAt, amountMinor } of changes) {
    const at = floorToQuarterHour(changedAt)
    const key = `${investorId} ${at}`
    const sumMinor = (sums.get(key)?.amountMinor ?? 0n) + amountMinor
    sums.set(key, { investorId, at, amountMinor: sumMinor })
  }
  return [...sums.values()]
}

/** Adds the sums to a table that has one row for each investor and quarter of an hour. */
export async function addToQuarters(
  trx: DatabaseTransaction,
  { table, column }: { table: string; column: string },
  sums: readonly InvestorAmount[],
): Promise<void> {
  if (sums.length === 0) return
  const amount = sql.ref(column)
  await sql`
    insert into ${sql.table(table)} as known (investor_id, at, ${amount})
    select * from unnest(${sums.map(({ investorId }) => investorId)}::text[],
      ${sums.map(({ at }) => at)}::timestamptz[],
      ${sums.map(({ amountMinor }) => String(amountMinor))}::bigint[])
    on conflict (investor_id, at) do update set ${amount} = known.${amount} + excluded.${amount}
  `.execute(trx)
}
