import {
  addDays,
  getDayStart,
  type getMyForecast,
  type ResponseOf,
  toAmount,
} from '@cairn/gateway-contracts'
import {
  computeCreditedThrough,
  computeUnitEnd,
  countElapsedUnits,
  type LedgerInvestment,
} from '@cairn/ledger-contracts'

/** Computes the future credits of running investments, summed by day. */
export function computeForecast(
  active: readonly LedgerInvestment[],
  timeZone: string,
): ResponseOf<typeof getMyForecast> {
  const dayOf = createCalendar(timeZone)
  const days = new Map<string, { profitMinor: bigint; principalMinor: bigint }>()
  const getDay = (atMs: number) => {
    const { day } = dayOf(atMs)
    const row = days.get(day) ?? { profitMinor: 0n, principalMinor: 0n }
    days.set(day, row)
    return row
  }
  for (const investment of active) {
    for (const { atMs, amountMinor } of sumProfitByDay(investment, dayOf))
      getDay(atMs).profitMinor += amountMinor
    if (investment.returnPrincipal)
      getDay(computeInvestmentEnd(investment)).principalMinor += investment.principalMinor
  }
  const rows = [...days].toSorted(([left], [right]) => (left < right ? -1 : 1))
  return {
    points: rows.map(([day, { profitMinor, principalMinor }]) => ({
      day,
      profit: toAmount(profitMinor),
      principal: toAmount(principalMinor),
    })),
    profit: toAmount(rows.reduce((sum, [, { profitMinor }]) => sum + profitMinor, 0n)),
    principal: toAmount(rows.reduce((sum, [, { principalMinor }]) => sum + principalMinor, 0n)),
  }
}

/**
 * Yields the sum of the profit of each day. If the unit is an hour, several units end on one day.
 */
function* sumProfitByDay(
  investment: LedgerInvestment,
  dayOf: Calendar,
): Generator<{ atMs: number; amountMinor: bigint }> {
  const { unit, unitsDone, duration } = investment
  const startedAtMs = Date.parse(investment.startedAt)
  for (let done = unitsDone; done < duration; ) {
    const atMs = computeUnitEnd({ startedAtMs, unit, units: done + 1 })
    const lastMs = dayOf(atMs).endsMs - 1
    const until = countElapsedUnits({ startedAtMs, unit, duration, nowMs: lastMs })
    yield { atMs, amountMinor: computeProfitBetween(investment, done, until) }
    done = until
  }
}

type Calendar = (atMs: number) => { day: string; endsMs: number }

/**
 * Returns a function that finds the day of an instant. This function computes the start of each day
 * only once, because many units end on one day.
 */
function createCalendar(timeZone: string): Calendar {
  const starts = new Map<string, number>()
  const findStart = (day: string) => {
    const startMs = starts.get(day) ?? getDayStart(timeZone, day)
    starts.set(day, startMs)
    return startMs
  }
  return (atMs) => {
    // The search starts with the next UTC day and goes back, because the local day can be one day
    // later than the UTC day.
    let day = addDays(new Date(atMs).toISOString().slice(0, 10), 1)
    while (findStart(day) > atMs) day = addDays(day, -1)
    return { day, endsMs: findStart(addDays(day, 1)) }
  }
}

function computeProfitBetween(
  { promisedMinor, duration }: LedgerInvestment,
  from: number,
  until: number,
): bigint {
  const computeCredited = (units: number) =>
    computeCreditedThrough({ promisedMinor, units, duration })
  return computeCredited(until) - computeCredited(from)
}

function computeInvestmentEnd({ startedAt, duration, unit }: LedgerInvestment): number {
  return computeUnitEnd({ startedAtMs: Date.parse(startedAt), unit, units: duration })
}

/** Yields the time and the profit of each remaining unit. */
export function* listUpcomingUnits(
  investment: LedgerInvestment,
): Generator<{ atMs: number; amountMinor: bigint }> {
  const { duration, unit, unitsDone } = investment
  const startedAtMs = Date.parse(investment.startedAt)
  for (let units = unitsDone + 1; units <= duration; units += 1) {
    const atMs = computeUnitEnd({ startedAtMs, unit, units })
    yield { atMs, amountMinor: computeProfitBetween(investment, units - 1, units) }
  }
}
