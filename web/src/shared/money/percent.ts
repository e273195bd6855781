import type { Minor } from './money.ts'

const PPM = 1_000_000n
const PERCENT = /^(\d{1,4})(?:\.(\d{1,4}))?$/

/**
 * Converts percent to millionths: 5 percent is 50,000 millionths. Accepts at most four decimals.
 */
export function toPpm(percent: number | string): bigint {
  const match = PERCENT.exec(String(percent))
  if (match === null) throw new Error(`not a percentage: ${percent}`)
  const [, whole = '0', part = ''] = match
  return BigInt(whole) * 10_000n + BigInt(part.padEnd(4, '0'))
}

/** Computes round_half_up(amount x percent / 100), for amounts of zero or more. */
export function computePercent(amount: Minor, percent: number | string): Minor {
  return (amount * toPpm(percent) + PPM / 2n) / PPM
}

export function formatPercent(percent: number | string): string {
  return `${String(percent)}%`
}
