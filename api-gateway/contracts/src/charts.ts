import { z } from 'zod'
import { isTimeZone } from './calendar.ts'
import { declareEndpoint } from './endpoint.ts'
import { LEDGER_QUERY_FAILURES } from './failures.ts'
import { createDayField } from './fields.ts'
import { MoneyOut } from './money.ts'

const Day = z.iso.date()
/** The IANA time zone that decides where a day begins. */
const TimeZone = z.string().refine(isTimeZone, 'must be the name of a time zone').default('UTC')

/** The first and the last day of a chart. The range is at most ten years. */
const range = z.strictObject({
  from: createDayField().optional(),
  to: createDayField().optional(),
  timeZone: TimeZone,
})

/**
 * The balances of an investor at the end of a day on which they changed. The first point of a chart
 * has the balances at the start of the range.
 */
export const BalancePoint = z.object({
  day: Day,
  available: MoneyOut,
  held: MoneyOut,
  invested: MoneyOut,
  /** Profit credited since the account was opened. */
  profit: MoneyOut,
  /**
   * Approved deposits less approved withdrawals, both before fees, since the account was opened.
   * Negative if more was withdrawn than deposited. An imported opening balance counts as a deposit.
   */
  paidIn: MoneyOut,
  /**
   * What administrators credited to the wallets, less what they took away, since the account was
   * opened: fundings and corrections. The net worth less `paidIn` and `credited` is the gain: profit
   * and referral bonuses, less fees and principal that a plan kept. Release 0.1.0 does not send it.
   */
  credited: MoneyOut.default(0),
  /**
   * The referral bonuses paid since the account was opened, less those that were taken back. Release
   * 0.9.0 does not send it.
   */
  bonuses: MoneyOut.default(0),
})
export type BalancePoint = z.infer<typeof BalancePoint>

export const getMyBalanceHistory = declareEndpoint({
  method: 'GET',
  path: '/stats/users/history',
  access: 'user',
  request: z.strictObject({ query: range }),
  response: z.object({ points: z.array(BalancePoint) }),
})

/** The profit and principal that running investments will credit on one day. */
export const ForecastPoint = z.object({ day: Day, profit: MoneyOut, principal: MoneyOut })

export const getMyForecast = declareEndpoint({
  method: 'GET',
  path: '/stats/users/forecast',
  access: 'user',
  request: z.strictObject({ query: z.strictObject({ timeZone: TimeZone }) }),
  response: z.object({
    points: z.array(ForecastPoint),
    /** The remaining profit of all running investments. */
    profit: MoneyOut,
    principal: MoneyOut,
  }),
  failures: [...LEDGER_QUERY_FAILURES],
})

/** Totals of all investors on one day. Days without a movement have no row. */
export const FlowPoint = z.object({
  day: Day,
  deposits: MoneyOut,
  withdrawals: MoneyOut,
  invested: MoneyOut,
  profit: MoneyOut,
})

/** The balances of the operator's accounts at the end of a day on which they changed. */
export const CoveragePoint = z.object({
  day: Day,
  reserve: MoneyOut,
  committed: MoneyOut,
  liabilities: MoneyOut,
  percentage: z.number(),
})

export const getAdminHistory = declareEndpoint({
  method: 'GET',
  path: '/stats/admin/history',
  permission: 'overview.read',
  request: z.strictObject({ query: range }),
  response: z.object({ flows: z.array(FlowPoint), coverage: z.array(CoveragePoint) }),
})

const Maturing = z.object({ count: z.int(), principal: MoneyOut, profit: MoneyOut })

export const getMaturities = declareEndpoint({
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
