import { addDays, dayStart } from '@cairn/gateway-contracts'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'

/** Days as the clocks of a zone show them, both included. */
export interface Range {
  from: string
  to: string
  timeZone: string
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
  { investorId, from, to, timeZone }: Range & { investorId: string },
): Promise<readonly HeldOnDay[]> {
  const { rows } = await sql<Record<'day' | 'available' | 'held' | 'principal' | 'profit', string>>`
    select * from (
      select shown::text as day,
        (sum(available_minor) over every)::text as available,
        (sum(held_minor) over every)::text as held,
        (sum(principal_minor) over every)::text as principal,
        (sum(profit_minor) over every)::text as profit,
        row_number() over (partition by shown order by at desc) as place
      from (
        select *, greatest((at at time zone ${timeZone})::date, ${from}::date) as shown
        from platform.investor_quarter
        where investor_id = ${investorId} and at < ${startOf(addDays(to, 1), timeZone)}
      ) quarters
      window every as (order by at)
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
  { from, to, timeZone }: Range,
): Promise<readonly OperatorOnDay[]> {
  // Whole days in UTC up to where the first day of any zone may begin, then quarters of an hour.
  const base = addDays(from, -1)
  const { rows } = await sql<{ day: string; kind: string; amount: string }>`
    select day::text, kind, sum(amount_minor)::text as amount from (
      select ${from}::date as day, kind, amount_minor
      from platform.operator_day where day < ${base}::date
      union all
      select greatest((at at time zone ${timeZone})::date, ${from}::date), kind, amount_minor
      from platform.operator_quarter
      where at >= ${startOf(base, 'UTC')} and at < ${startOf(addDays(to, 1), timeZone)}
    ) parts group by day, kind order by day, kind`.execute(db)
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

export async function listFlows(
  db: Database,
  { from, to, timeZone }: Range,
): Promise<readonly FlowOnDay[]> {
  const { rows } = await sql<
    Record<'day' | 'deposits' | 'withdrawals' | 'profit' | 'invested', string>
  >`
    select ((at at time zone ${timeZone})::date)::text as day,
      sum(deposits_minor)::text as deposits, sum(withdrawals_minor)::text as withdrawals,
      sum(profit_minor)::text as profit, sum(invested_minor)::text as invested
    from platform.flow_quarter
    where at >= ${startOf(from, timeZone)} and at < ${startOf(addDays(to, 1), timeZone)}
    group by 1 order by 1`.execute(db)
  return rows.map((row) => ({
    day: row.day,
    depositsMinor: BigInt(row.deposits),
    withdrawalsMinor: BigInt(row.withdrawals),
    profitMinor: BigInt(row.profit),
    investedMinor: BigInt(row.invested),
  }))
}

function startOf(day: string, timeZone: string): Date {
  return new Date(dayStart(timeZone, day))
}
