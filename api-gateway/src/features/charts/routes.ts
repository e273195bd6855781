import {
  addDays,
  getAdminHistory,
  getDayIn,
  getMaturities,
  getMyBalanceHistory,
  getMyForecast,
  toAmount,
} from '@cairn/gateway-contracts'
import type { QueryResponse } from '@cairn/ledger-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { createInvalidFieldFailure } from '../../platform/http/failure.ts'
import { declareRoute, getCaller, type Route } from '../../platform/http/registry.ts'
import { computeForecast, listActiveInvestments } from '../investments/index.ts'
import { computeCoverage } from '../reserve/index.ts'
import { listBalances, listFlows, listOperatorDays, type Range } from './queries.ts'

const DAY_MS = 86_400_000
const RANGE_DAYS_MAX = 3_660
const MATURITY_DAYS = 90
const FIRST_DAY = '0001-01-01'
/** The last day for which the queries can compute the day after it. */
const LAST_DAY = '9999-12-30'

type Maturing = QueryResponse<'maturities'>['overdue']

export function createChartRoutes(deps: Pick<Dependencies, 'db' | 'ledger'>): readonly Route[] {
  const own = { rate: 'read', owner: 'own', audit: null } as const
  const any = { rate: 'read', owner: 'any', audit: null } as const
  return [
    declareRoute(getMyBalanceHistory, own, async ({ query }, exchange) => {
      const investorId = getCaller(exchange).userId
      const days = await listBalances(deps.db, { investorId, ...parseRange(query, exchange.nowMs) })
      return {
        points: days.map((row) => ({
          day: row.day,
          available: toAmount(row.availableMinor),
          held: toAmount(row.heldMinor),
          invested: toAmount(row.principalMinor),
          profit: toAmount(row.profitMinor),
          paidIn: toAmount(row.paidInMinor),
          credited: toAmount(row.creditedMinor),
          bonuses: toAmount(row.bonusMinor),
        })),
      }
    }),
    declareRoute(getMyForecast, own, async ({ query }, exchange) => {
      const active = await listActiveInvestments(deps.ledger, getCaller(exchange).userId)
      return computeForecast(active, query.timeZone)
    }),
    createAdminHistoryRoute(deps),
    declareRoute(getMaturities, any, async (_request, { nowMs }) => {
      const now = new Date(nowMs).toISOString()
      const found = await deps.ledger.ask('maturities', { now, days: MATURITY_DAYS })
      return {
        overdue: sumMaturing([found.overdue]),
        within7Days: sumMaturing(found.byDay.slice(0, 7)),
        within30Days: sumMaturing(found.byDay.slice(0, 30)),
        byDay: found.byDay
          .filter(({ count }) => count > 0)
          .map((row) => ({ day: row.day, ...sumMaturing([row]) })),
        later: sumMaturing([found.later]),
      }
    }),
  ]
}

function createAdminHistoryRoute(deps: Pick<Dependencies, 'db'>): Route {
  const options = { rate: 'read', owner: 'any', audit: null } as const
  return declareRoute(getAdminHistory, options, async ({ query }, { nowMs }) => {
    const range = parseRange(query, nowMs)
    const [flows, days] = await Promise.all([
      listFlows(deps.db, range),
      listOperatorDays(deps.db, range),
    ])
    return {
      flows: flows.map((row) => ({
        day: row.day,
        deposits: toAmount(row.depositsMinor),
        withdrawals: toAmount(row.withdrawalsMinor),
        invested: toAmount(row.investedMinor),
        profit: toAmount(row.profitMinor),
      })),
      coverage: days.map(({ day, byKind }) => {
        const { reserveMinor, committedMinor, liabilitiesMinor, percentage } =
          computeCoverage(byKind)
        return {
          day,
          reserve: toAmount(reserveMinor),
          committed: toAmount(committedMinor),
          liabilities: toAmount(liabilitiesMinor),
          percentage,
        }
      }),
    }
  })
}

/** Returns the range of the query. The default is the last year until today. */
function parseRange(
  query: { from?: string | undefined; to?: string | undefined; timeZone: string },
  nowMs: number,
): Range {
  const { timeZone } = query
  const to = query.to ?? getDayIn(timeZone, nowMs)
  const yearBefore = addDays(to, -365)
  const from = query.from ?? (yearBefore < FIRST_DAY ? FIRST_DAY : yearBefore)
  if (from > to) throw createInvalidFieldFailure('from', 'The start must not be after the end')
  if (Date.parse(to) - Date.parse(from) > RANGE_DAYS_MAX * DAY_MS) {
    throw createInvalidFieldFailure('from', 'The range is longer than ten years')
  }
  return { from, to: to > LAST_DAY ? LAST_DAY : to, timeZone }
}

function sumMaturing(rows: readonly Maturing[]) {
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    principal: toAmount(rows.reduce((sum, { principalMinor }) => sum + principalMinor, 0n)),
    profit: toAmount(rows.reduce((sum, { outstandingMinor }) => sum + outstandingMinor, 0n)),
  }
}
