import { sql } from 'kysely'
import type { DatabaseTransaction } from '../../platform/database/database.ts'
import type { Follower } from '../../platform/jobs/follower.ts'
import { type QuarterHourCurves, sumByQuarterHour } from './curves.ts'

const TABLES = [
  'platform.operator_day',
  'platform.operator_quarter',
  'platform.investor_quarter',
  'platform.flow_quarter',
] as const

/**
 * Creates the follower that updates the chart tables. A follower with a new name reads the log from
 * the start.
 */
export function createChartFollower(): Follower {
  return {
    name: 'charts.v3',
    handle: (events, trx) => addQuarterHours(trx, sumByQuarterHour(events)),
    clear: async (trx) => {
      for (const table of TABLES) await trx.deleteFrom(table).execute()
    },
  }
}

async function addQuarterHours(trx: DatabaseTransaction, curves: QuarterHourCurves): Promise<void> {
  const operator = [...curves.operator.values()]
  const investors = [...curves.investors.values()]
  const flows = [...curves.flows.values()]
  const of = {
    at: operator.map(({ at }) => at),
    kind: operator.map(({ kind }) => kind),
    amount: operator.map(({ amountMinor }) => String(amountMinor)),
  }
  await sql`
    insert into platform.operator_quarter as known (at, kind, amount_minor)
    select * from unnest(${of.at}::timestamptz[], ${of.kind}::text[], ${of.amount}::bigint[])
    on conflict (at, kind) do update set amount_minor = known.amount_minor + excluded.amount_minor
  `.execute(trx)
  await sql`
    insert into platform.operator_day as known (day, kind, amount_minor)
    select (at at time zone 'UTC')::date, kind, sum(amount)
    from unnest(${of.at}::timestamptz[], ${of.kind}::text[], ${of.amount}::bigint[])
      as added (at, kind, amount)
    group by 1, 2
    on conflict (day, kind) do update set amount_minor = known.amount_minor + excluded.amount_minor
  `.execute(trx)
  await sql`
    insert into platform.investor_quarter as known
      (investor_id, at, available_minor, held_minor, principal_minor, profit_minor, paid_in_minor)
    select * from unnest(${investors.map(({ investorId }) => investorId)}::text[],
      ${investors.map(({ at }) => at)}::timestamptz[],
      ${investors.map(({ availableMinor }) => String(availableMinor))}::bigint[],
      ${investors.map(({ heldMinor }) => String(heldMinor))}::bigint[],
      ${investors.map(({ principalMinor }) => String(principalMinor))}::bigint[],
      ${investors.map(({ profitMinor }) => String(profitMinor))}::bigint[],
      ${investors.map(({ paidInMinor }) => String(paidInMinor))}::bigint[])
    on conflict (investor_id, at) do update set
      available_minor = known.available_minor + excluded.available_minor,
      held_minor = known.held_minor + excluded.held_minor,
      principal_minor = known.principal_minor + excluded.principal_minor,
      profit_minor = known.profit_minor + excluded.profit_minor,
      paid_in_minor = known.paid_in_minor + excluded.paid_in_minor
  `.execute(trx)
  await sql`
    insert into platform.flow_quarter as known
      (at, deposits_minor, withdrawals_minor, profit_minor, invested_minor)
    select * from unnest(${flows.map(({ at }) => at)}::timestamptz[],
      ${flows.map(({ depositsMinor }) => String(depositsMinor))}::bigint[],
      ${flows.map(({ withdrawalsMinor }) => String(withdrawalsMinor))}::bigint[],
      ${flows.map(({ profitMinor }) => String(profitMinor))}::bigint[],
      ${flows.map(({ investedMinor }) => String(investedMinor))}::bigint[])
    on conflict (at) do update set
      deposits_minor = known.deposits_minor + excluded.deposits_minor,
      withdrawals_minor = known.withdrawals_minor + excluded.withdrawals_minor,
      profit_minor = known.profit_minor + excluded.profit_minor,
      invested_minor = known.invested_minor + excluded.invested_minor
  `.execute(trx)
}
