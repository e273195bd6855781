import { sql } from 'kysely'
import type { Database } from '../database/database.ts'

export interface Range {
  from: string
  to: string
}

export interface HeldOnDay {
  day: string
  availableMinor: bigint
  heldMinor: bigint
  principalMinor: bigint
  profitMinor: bigint
}

/** What an investor held at the end of each day on which it changed, and at the start of the range. */
export async function listBalances(
  db: Database,
  { investorId, from, to }: Range & { investorId: string },
): Promise<readonly HeldOnDay[]> {
  const { rows } = await sql<Record<'day' | 'available' | 'held' | 'principal' | 'profit', string>>`
    select * from (
      select greatest(day, ${from}::date)::text as day,
        (sum(available_minor) over every)::text as available,
        (sum(held_minor) over every)::text as held,
        (sum(principal_minor) over every)::text as principal,
        (sum(profit_minor) over every)::text as profit,
        row_number() over (partition by greatest(day, ${from}::date) order by day desc) as place
      from platform.investor_day where investor_id = ${investorId} and day <= ${to}::date
      window every as (order by day)
    ) days where place = 1 order by day`.execute(db)
  return rows.map((row) => ({
    day: row.day,
    availableMinor: BigInt(row.available),
    heldMinor: BigInt(row.held),
    principalMinor: BigInt(row.principal),
    profitMinor: BigInt(row.profit),
  }))
}

export interface OperatorOnDay {
  day: string
  /** By kind of account, as it stood at the end of the day. */
  byKind: ReadonlyMap<string, bigint>
}

/** The books by kind of account at the end of each day on which any changed. */
export async function listOperatorDays(
  db: Database,
  { from, to }: Range,
): Promise<readonly OperatorOnDay[]> {
  const { rows } = await sql<{ day: string; kind: string; amount: string }>`
    select greatest(day, ${from}::date)::text as day, kind, sum(amount_minor)::text as amount
    from platform.operator_day where day <= ${to}::date group by 1, 2 order by 1, 2`.execute(db)
  const days: OperatorOnDay[] = []
  let current = new Map<string, bigint>()
  for (const { day, kind, amount } of rows) {
    if (days.at(-1)?.day !== day) {
      current = new Map(current)
      days.push({ day, byKind: current })
    }
    current.set(kind, (current.get(kind) ?? 0n) + BigInt(amount))
  }
  return days
}

export interface FlowOnDay {
  day: string
  depositsMinor: bigint
  withdrawalsMinor: bigint
  profitMinor: bigint
  investedMinor: bigint
}

export async function listFlows(db: Database, { from, to }: Range): Promise<readonly FlowOnDay[]> {
  const rows = await db
    .selectFrom('platform.flow_day')
    .select([
      sql<string>`day::text`.as('day'),
      'deposits_minor',
      'withdrawals_minor',
      'profit_minor',
      'invested_minor',
    ])
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('platform.flow_day.day')
    .execute()
  return rows.map((row) => ({
    day: row.day,
    depositsMinor: BigInt(row.deposits_minor),
    withdrawalsMinor: BigInt(row.withdrawals_minor),
    profitMinor: BigInt(row.profit_minor),
    investedMinor: BigInt(row.invested_minor),
  }))
}
