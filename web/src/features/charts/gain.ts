import type { Minor } from '../../shared/money/money.ts'
import { parseDay } from '../../shared/ui/chart-parts.tsx'
import type { Holding } from './series.ts'

const DAY_MS = 86_400_000

export type Gain = {
  minor: Minor
  /**
   * The gain in tenths of a percent of the average net worth without the gain. Null if there was no
   * money on average.
   */
  tenths: bigint | null
}

const NOTHING = { total: 0n, contributed: 0n } as const

/**
 * Computes the gain since the day `from`: the change of the net worth without deposits, withdrawals
 * and credits by administrators. An account that is younger than `from` begins with nothing. Returns
 * null without holdings.
 */
export function computeGain(holdings: readonly Holding[], from: string): Gain | null {
  const [first, last] = [holdings[0], holdings.at(-1)]
  if (first === undefined || last === undefined) return null
  const start = first.day > from ? NOTHING : first
  const minor = last.total - last.contributed - (start.total - start.contributed)
  let [weighted, days] = [0n, 0n]
  for (const [place, { day, contributed }] of holdings.entries()) {
    const next = holdings[place + 1]
    // An account that was opened today counts as one day.
    const length = next === undefined ? (days === 0n ? 1n : 0n) : countDays(day, next.day)
    weighted += (start.total + contributed - start.contributed) * length
    days += length
  }
  return { minor, tenths: weighted <= 0n ? null : divideHalfUp(minor * days * 1_000n, weighted) }
}

function countDays(from: string, to: string): bigint {
  return BigInt((parseDay(to) - parseDay(from)) / DAY_MS)
}

/** Divides and rounds half away from zero. The divisor is positive. */
function divideHalfUp(value: bigint, divisor: bigint): bigint {
  const half = value < 0n ? -divisor / 2n : divisor / 2n
  return (value + half) / divisor
}

/** Formats tenths of a percent with their sign, such as `+15.2%`. */
export function formatGainPercent(tenths: bigint): string {
  const size = tenths < 0n ? -tenths : tenths
  const sign = tenths > 0n ? '+' : tenths < 0n ? '\u2212' : ''
  return `${sign}${size / 10n}.${size % 10n}%`
}
