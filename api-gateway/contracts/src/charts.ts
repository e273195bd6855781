import { z } from 'zod'
import { isTimeZone } from './calendar.ts'
import { endpoint } from './endpoint.ts'
import { LEDGER_ASKED } from './failures.ts'
import { MoneyOut } from './money.ts'

const Day = z.iso.date()
/** Whose clocks say where a day begins: the name of a zone. */
const TimeZone = z.string().refine(isTimeZone, 'must be the name of a time zone').default('UTC')

/** The days a chart shows: `to` included; at most ten years. */
const range = z.strictObject({ from: Day.optional(), to: Day.optional(), timeZone: TimeZone })

/** What an investor held at the end of each day on which it changed; the first point opens the range. */
export const BalancePoint = z.object({
  day: Day,
  available: MoneyOut,
  held: MoneyOut,
  invested: MoneyOut,
  /** Profit credited since the beginning. */
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

/** When profit and principal will be credited, by day, as the terms say. */
export const ForecastPoint = z.object({ day: Day, profit: MoneyOut, principal: MoneyOut })

export const getMyForecast = endpoint({
  method: 'GET',
  path: '/stats/users/forecast',
  access: 'user',
  request: z.strictObject({ query: z.strictObject({ timeZone: TimeZone }) }),
  response: z.object({
    points: z.array(ForecastPoint),
    /** All that the terms of the running investments still promise. */
    profit: MoneyOut,
    principal: MoneyOut,
  }),
  failures: [...LEDGER_ASKED],
})

/** Of all investors, a row for each day on which something moved. */
export const FlowPoint = z.object({
  day: Day,
  deposits: MoneyOut,
  withdrawals: MoneyOut,
  invested: MoneyOut,
  profit: MoneyOut,
})

/** The operator's accounts at the end of each day on which one of them changed. */
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
  access: 'admin',
  request: z.strictObject({ query: range }),
  response: z.object({ flows: z.array(FlowPoint), coverage: z.array(CoveragePoint) }),
})

const Maturing = z.object({ count: z.int(), principal: MoneyOut, profit: MoneyOut })

export const getMaturities = endpoint({
  method: 'GET',
  path: '/stats/admin/maturities',
  access: 'admin',
  response: z.object({
    overdue: Maturing,
    within7Days: Maturing,
    within30Days: Maturing,
    byDay: z.array(Maturing.extend({ day: Day })),
    later: Maturing,
  }),
  failures: [...LEDGER_ASKED],
})
