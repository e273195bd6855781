import { z } from 'zod'

/** Whole cents inside the platform. */
export type Minor = bigint

const AMOUNT = /^(\d{1,13})(?:\.(\d{1,2}))?$/
const TOO_LARGE = /^\d{14,}(?:\.\d{1,2})?$/
// Sums have more digits than any amount that may be entered; whoever asks for much must not make a list unreadable.
const SIGNED_SUM = /^-?\d{1,18}(?:\.\d{1,2})?$/
const PERCENT = /^(\d{1,4})(?:\.(\d{1,4}))?$/

/** One strict grammar: digits, at most two decimals, no sign, no exponent; null when it is not that. */
export function parseAmount(value: number | string): Minor | null {
  const match = AMOUNT.exec(typeof value === 'number' ? String(value) : value)
  if (match === null) return null
  const [, whole = '', cents = ''] = match
  return BigInt(whole) * 100n + BigInt(cents.padEnd(2, '0'))
}

/** `-1234.5` for -123450n, as a number: exact up to 70 trillion, above that the nearest number. */
export function toAmount(minor: Minor): number {
  const size = minor < 0n ? -minor : minor
  const text = `${size / 100n}.${(size % 100n).toString().padStart(2, '0')}`
  return Number(minor < 0n ? `-${text}` : text)
}

/** Percent with at most four decimals to millionths: `5.25` is 52,500. */
export function parsePercent(value: number | string): number | null {
  const match = PERCENT.exec(typeof value === 'number' ? String(value) : value)
  if (match === null) return null
  const [, whole = '', decimals = ''] = match
  return Number(BigInt(whole) * 10_000n + BigInt(decimals.padEnd(4, '0')))
}

export function toPercent(ppm: number): number {
  return ppm / 10_000
}

const numeric = (message: string) => z.union([z.number(message), z.string(message)], message)

/** A number, or a string of digits, with at most two decimals; whole cents when read. */
export const MoneyIn = numeric('Enter an amount').transform((value, context): Minor => {
  const minor = parseAmount(value)
  if (minor !== null && minor > 0n) return minor
  context.addIssue(whyNoAmount(minor, String(value)))
  return z.NEVER
})

function whyNoAmount(minor: Minor | null, text: string): string {
  if (minor === 0n) return 'The amount must be above zero'
  if (TOO_LARGE.test(text)) return 'The amount is too large'
  return 'Enter an amount with at most two decimals'
}

export const PercentIn = numeric('Enter a percentage').transform((value, context): number => {
  const ppm = parsePercent(value)
  if (ppm !== null && ppm <= 10_000_000) return ppm
  context.addIssue('Enter a percentage up to 1000 with at most four decimals')
  return z.NEVER
})

/** A number with at most two decimals. */
export const MoneyOut = z
  .number()
  .refine((value) => SIGNED_SUM.test(String(value)), 'must have two decimals at most')

export const PercentOut = z.number().min(0)
