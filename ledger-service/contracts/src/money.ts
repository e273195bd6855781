import { z } from 'zod'

/** The largest amount of a command: ten trillion dollars in cents. */
export const AMOUNT_MAX_MINOR = 1_000_000_000_000_000n
export const PPM = 1_000_000n

/**
 * An amount in minor units: a string of digits in JSON, a bigint in memory. Sums may have up to 20
 * digits.
 */
export const Minor = z
  .union([z.string().regex(/^-?\d{1,20}$/, 'must be whole minor units'), z.bigint()])
  .transform((value) => BigInt(value))
export type Minor = bigint

export const PositiveMinor = Minor.refine(
  (value) => value > 0n && value <= AMOUNT_MAX_MINOR,
  'must be above zero and at most ten trillion',
)
export const NonNegativeMinor = Minor.refine(
  (value) => value >= 0n && value <= AMOUNT_MAX_MINOR,
  'must be zero or more and at most ten trillion',
)

/** A rate in parts per million: 5 % is 50,000. */
export const Ppm = z.int().min(0).max(10_000_000)

/** Returns round_half_up(amount x ppm / 1,000,000). Both arguments must be at least zero. */
export function computeShare(amountMinor: Minor, ppm: number): Minor {
  return (amountMinor * BigInt(ppm) + PPM / 2n) / PPM
}

/**
 * Returns the minor units of an amount such as `500`, `12.5`, `$1,200.50`, `CA$5` or `CHF 20`, or null if the
 * text is not an amount. The currency is not compared: a ledger has one.
 */
export function parseAmountFilter(text: string): bigint | null {
  const digits = text.replaceAll(/^\s*[A-Z]{1,3}(?=[\p{Sc}\s])|\p{Sc}|[,\s]/gu, '')
  const match = /^(\d{1,13})(?:\.(\d{1,2}))?$/.exec(digits)
  return match === null ? null : BigInt(`${match[1]}${(match[2] ?? '').padEnd(2, '0')}`)
}

/**
 * Returns JSON in which bigints are strings of digits. All request and response bodies have this
 * format.
 */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? item.toString() : item))
}
