import { z } from 'zod'
import { isTimeZone } from './calendar.ts'
import { endpoint } from './endpoint.ts'
import { LEDGER_QUERY_FAILURES } from './failures.ts'
import { MoneyOut } from './money.ts'

const Day = z.iso.date()
/** The IANA time zone that decides where a day begins. */
const TimeZone = z.string().refine(isTimeZone, 'must be the name of a time zone').default('UTC')

/** The days of a chart, including `to`; at most ten years. */
const range = z.strictObject({ from: Day.optional(), to: Day.optional(), timeZone: TimeZone })

/**
 * The balances of an investor at the end of each day with a change; the first point is the start of
 * the range.
 */
export const BalancePoint = z.object({
  day: Day,
  available: MoneyOut,
  held: MoneyOut,
  invested: MoneyOut,
  /** Profit credited since the account was opened. */
  profit: MoneyOut,
})
export type BalancePoint = z.infer<typeof BalancePoint>

export const getMyBalanceHistory = endpoint({
  method: 'GET',
  path: '/stats/users/history',
  access: 'user',
  request: z.strictObject({ query: range }),
  response: z.object({ points: z.array(BalancePoint) }),
})

/** Profit and principal that the terms of the running investments will credit, by day. */
export const ForecastPoint = z.object({ day: Day, profit: MoneyOut, principal: MoneyOut })

export const getMyForecast = endpoint({
  method: 'GET',
  path: '/stats/users/forecast',
  access: 'user',
  request: z.strictObject({ query: z.strictObject({ timeZone: TimeZone }) }),
  response: z.object({
    points: z.array(ForecastPoint),
    /** All remaining profit of the running investments. */
    profit: MoneyOut,
    principal: MoneyOut,
  }),
  failures: [...LEDGER_QUERY_FAILURES],
})

/** Totals of all investors, one row for each day with a movement. */
export const FlowPoint = z.object({
  day: Day,
  deposits: MoneyOut,
  withdrawals: MoneyOut,
  invested: MoneyOut,
  profit: MoneyOut,
})

/** The operator's accounts at the end of each day with a change. */
export const CoveragePoint = z.object({
  day: Day,
  reserve: MoneyOut,
  committed: MoneyOut,
  liabilities: MoneyOut,
  percentage: z.number(),
})

export const getAdminHistory = endpoint({
  method: 'GET',
  path: '/stats/admin/history',
  permission: 'overview.read',
  request: z.strictObject({ query: range }),
  response: z.object({ flows: z.array(FlowPoint), coverage: z.array(CoveragePoint) }),
})

const Maturing = z.object({ count: z.int(), principal: MoneyOut, profit: MoneyOut })

export const getMaturities = endpoint({
  method: 'GET',
  path: '/stats/admin/maturities',
  permission: 'overview.read',
  response: z.object({
    overdue: Maturing,
    within7Days: Maturing,
    within30Days: Maturing,
    byDay: z.array(Maturing.extend({ day: Day })),
    later: Maturing,
  }),
  failures: [...LEDGER_QUERY_FAILURES],
})
