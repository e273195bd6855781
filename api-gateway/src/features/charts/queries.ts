import { addDays, getDayStart } from '@cairn/gateway-contracts'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'

/** A range of days in a time zone, from the first to the last day. */
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
  paidInMinor: bigint
  creditedMinor: bigint
  bonusMinor: bigint
}

/**
 * Lists an investor's balances at the start of the range and at the end of each day with a change.
 */
export async function listBalances(
  db: Database,
  { investorId, from, to, timeZone }: Range & { investorId: string },
): Promise<readonly HeldOnDay[]> {
  type Column =
    | 'day'
    | 'available'
    | 'held'
    | 'principal'
    | 'profit'
    | 'paidIn'
    | 'credited'
    | 'bonus'
  const { rows } = await sql<Record<Column, string>>`
    select * from (
      select shown::text as day,
        (sum(available_minor) over every)::text as available,
        (sum(held_minor) over every)::text as held,
        (sum(principal_minor) over every)::text as principal,
        (sum(profit_minor) over every)::text as profit,
        (sum(paid_in_minor) over every)::text as "paidIn",
        (sum(credited_minor) over every)::text as credited,
        (sum(bonus_minor) over every)::text as bonus,
        row_number() over (partition by shown order by at desc) as place
      from (
        select *, greatest((at at time zone ${timeZone})::date, ${from}::date) as shown
        from (
          select investor_id, at, available_minor, held_minor, principal_minor, profit_minor,
            paid_in_minor, 0 as credited_minor, 0 as bonus_minor
          from platform.investor_quarter
          union all
          select investor_id, at, 0, 0, 0, 0, 0, credited_minor, 0
          from platform.investor_credit_quarter
          union all
          select investor_id, at, 0, 0, 0, 0, 0, 0, bonus_minor
          from platform.investor_bonus_quarter
        ) changes
        where investor_id = ${investorId} and at < ${findDayStart(addDays(to, 1), timeZone)}
      ) quarters
      window every as (order by at)
    ) days where place = 1 order by day`.execute(db)
  return rows.map((row) => ({
    day: row.day,
    availableMinor: BigInt(row.available),
    heldMinor: BigInt(row.held),
    principalMinor: BigInt(row.principal),
    profitMinor: BigInt(row.profit),
    paidInMinor: BigInt(row.paidIn),
    creditedMinor: BigInt(row.credited),
    bonusMinor: BigInt(row.bonus),
  }))
}

export interface OperatorOnDay {
  day: string
  /** The balance at the end of the day, by kind of account. */
  byKind: ReadonlyMap<string, bigint>
}

/** Lists the operator's balances at the end of each day with a change. */
export async function listOperatorDays(
  db: Database,
  { from, to, timeZone }: Range,
): Promise<readonly OperatorOnDay[]> {
  // `operator_day` has sums for UTC days. The requested days begin at the midnights of another time
  // zone. The quarter hours between the two midnights of a day are therefore moved to the correct
  // day.
  const { rows } = await sql<{ day: string; kind: string; amount: string }>`
    with boundary as (
      select midnight at time zone 'UTC' as there, midnight at time zone ${timeZone} as here,
        midnight::date as day
      from generate_series(${from}::timestamp + interval '1 day', ${to}::timestamp + interval '1 day',
        interval '1 day') as midnight
    ), moved as (
      select at, kind, amount_minor, there, here, day
      from boundary join platform.operator_quarter
        on at >= least(there, here) and at < greatest(there, here)
    ), part as (
      select day, kind, amount_minor from platform.operator_day
      union all
      select case when at >= there then day else day - 1 end, kind, -amount_minor from moved
      union all
      select case when at >= here then day else day - 1 end, kind, amount_minor from moved
    )
    select greatest(day, ${from}::date)::text as day, kind, sum(amount_minor)::text as amount
    from part where day <= ${to}::date
    group by 1, 2 having sum(amount_minor) <> 0 order by 1, 2`.execute(db)
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
    where at >= ${findDayStart(from, timeZone)} and at < ${findDayStart(addDays(to, 1), timeZone)}
    group by 1 order by 1`.execute(db)
  return rows.map((row) => ({
    day: row.day,
    depositsMinor: BigInt(row.deposits),
    withdrawalsMinor: BigInt(row.withdrawals),
    profitMinor: BigInt(row.profit),
    investedMinor: BigInt(row.invested),
  }))
}

function findDayStart(day: string, timeZone: string): Date {
  return new Date(getDayStart(timeZone, day))
}
