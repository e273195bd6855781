import type { BalancePoint, getMyForecast, ResponseOf } from '@cairn/gateway-contracts'

import { type Minor, toMinor } from '../../shared/money/money.ts'

export type Holding = {
  day: string
  available: Minor
  held: Minor
  invested: Minor
  total: Minor
  profit: Minor
  paidIn: Minor
  credited: Minor
  bonuses: Minor
  /** The paid-in money and what administrators credited. The rest of the total is the gain. */
  contributed: Minor
}

/**
 * Converts the amounts to cents. If the last point is from a day before today, repeats the point
 * for today.
 */
export function toHoldings(points: readonly BalancePoint[], today: string): readonly Holding[] {
  const holdings = points.map(({ day, ...amounts }) => {
    const available = toMinor(amounts.available)
    const held = toMinor(amounts.held)
    const invested = toMinor(amounts.invested)
    const total = available + held + invested
    const [profit, paidIn] = [toMinor(amounts.profit), toMinor(amounts.paidIn)]
    const [credited, bonuses] = [toMinor(amounts.credited), toMinor(amounts.bonuses)]
    const contributed = paidIn + credited
    const parts = { available, held, invested, profit, paidIn, credited, bonuses }
    return { ...parts, day, total, contributed }
  })
  return extendToToday(holdings, today)
}

/** If the last point is from a day before today, repeats the point for today. */
export function extendToToday<Point extends { day: string }>(
  points: readonly Point[],
  today: string,
): readonly Point[] {
  const last = points.at(-1)
  return last === undefined || last.day >= today ? points : [...points, { ...last, day: today }]
}

export type ProfitPoint = {
  day: string
  past: Minor | null
  ahead: Minor | null
  /** The principal that falls due on this day. */
  principal: Minor
}

/**
 * Returns the credited profit until today. From today on, returns what it will be at the end of each
 * day under the terms.
 */
export function toProfitLine(
  holdings: readonly Holding[],
  forecast: ResponseOf<typeof getMyForecast>['points'],
  today: string,
): readonly ProfitPoint[] {
  const credited = holdings.at(-1)?.profit ?? 0n
  let sum = credited
  const past = holdings
    .filter(({ day }) => day < today)
    .map(({ day, profit }): ProfitPoint => ({ day, past: profit, ahead: null, principal: 0n }))
  const ahead = forecast.map(({ day, profit, principal }): ProfitPoint => {
    sum += toMinor(profit)
    return { day, past: null, ahead: sum, principal: toMinor(principal) }
  })
  const now: ProfitPoint = {
    day: today,
    past: credited,
    ahead: ahead.findLast(({ day }) => day <= today)?.ahead ?? credited,
    principal: ahead.find(({ day }) => day === today)?.principal ?? 0n,
  }
  return [...past, now, ...ahead.filter(({ day }) => day > today)]
}
