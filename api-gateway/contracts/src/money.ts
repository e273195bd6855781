import { z } from 'zod'

/** An amount in minor units (cents). All calculations use this type. */
export type Minor = bigint

const AMOUNT = /^(\d{1,13})(?:\.(\d{1,2}))?$/
const TOO_LARGE = /^\d{14,}(?:\.\d{1,2})?$/
// A sum of amounts can have more digits than one entered amount, so this pattern accepts more
// digits than the pattern of an entered amount.
const SIGNED_SUM = /^-?\d{1,18}(?:\.\d{1,2})?$/
const PERCENT = /^(\d{1,4})(?:\.(\d{1,4}))?$/

/**
 * Parses digits with at most two decimals, without sign or exponent. Returns null for invalid
 * input.
 */
export function parseAmount(value: number | string): Minor | null {
  const match = AMOUNT.exec(typeof value === 'number' ? String(value) : value)
  if (match === null) return null
  const [, whole = '', cents = ''] = match
  return BigInt(whole) * 100n + BigInt(cents.padEnd(2, '0'))
}

/**
 * Converts minor units to a number: -123450n becomes -1234.5. The result is exact up to 70
 * trillion. Above that amount, the result is the nearest number.
 */
export function toAmount(minor: Minor): number {
  const size = minor < 0n ? -minor : minor
  const text = `${size / 100n}.${(size % 100n).toString().padStart(2, '0')}`
  return Number(minor < 0n ? `-${text}` : text)
}

/**
 * Converts a percentage with at most four decimals to parts per million: `5.25` becomes 52,500.
 * Returns null for invalid input.
 */
export function parsePercent(value: number | string): number | null {
  const match = PERCENT.exec(typeof value === 'number' ? String(value) : value)
  if (match === null) return null
  const [, whole = '', decimals = ''] = match
  return Number(BigInt(whole) * 10_000n + BigInt(decimals.padEnd(4, '0')))
}

export function toPercent(ppm: number): number {
  return ppm / 10_000
}

const createNumericField = (message: string) =>
  z.union([z.number(message), z.string(message)], message)

/**
 * A positive amount with at most two decimals, as a number or a string. The parsed value is in
 * minor units.
 */
export const MoneyIn = createNumericField('Enter an amount').transform((value, context): Minor => {
  const minor = parseAmount(value)
  if (minor !== null && minor > 0n) return minor
  context.addIssue(describeAmountError(minor, String(value)))
  return z.NEVER
})

function describeAmountError(minor: Minor | null, text: string): string {
  if (minor === 0n) return 'The amount must be above zero'
  if (TOO_LARGE.test(text)) return 'The amount is too large'
  return 'Enter an amount with at most two decimals'
}

export const PercentIn = createNumericField('Enter a percentage').transform(
  (value, context): number => {
    const ppm = parsePercent(value)
    if (ppm !== null && ppm <= 10_000_000) return ppm
    context.addIssue('Enter a percentage up to 1000 with at most four decimals')
    return z.NEVER
  },
)

/** A number with at most two decimals, in major units. */
export const MoneyOut = z
  .number()
  .refine((value) => SIGNED_SUM.test(String(value)), 'must have two decimals at most')

export const PercentOut = z.number().min(0)
