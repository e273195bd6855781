import { getMoneyPrefix } from './currency.ts'

/** An amount in cents. The API sends amounts in whole units with two decimals. */
export type Minor = bigint

const TYPED = /^(-?)(\d{1,13})(?:\.(\d{1,2}))?$/
// The pattern permits more digits than the input of a form, because it also parses sums of amounts.
const SUM = /^(-?)(\d{1,18})(?:\.(\d{1,2}))?$/

/** Parses an amount of the API or of a form. Returns null if the amount is not valid. */
export function parseMoney(value: number | string): Minor | null {
  // An API number has at most two decimals. `toFixed` is exact for amounts below 2^53 cents.
  const match = typeof value === 'number' ? SUM.exec(value.toFixed(2)) : TYPED.exec(value.trim())
  if (match === null) return null
  const [, sign = '', whole = '0', cents = ''] = match
  const minor = BigInt(whole) * 100n + BigInt(cents.padEnd(2, '0'))
  return sign === '-' ? -minor : minor
}

/** Parses an amount that the API sent. Throws if the value is not a valid amount. */
export function toMinor(value: number | string): Minor {
  const minor = parseMoney(value)
  if (minor === null) throw new Error(`not an amount: ${value}`)
  return minor
}

/** Formats `1234.50`, the format that the API accepts. */
export function toAmountText(minor: Minor): string {
  const { sign, whole, cents } = splitMoney(minor)
  return `${sign}${whole.replaceAll(',', '')}.${cents}`
}

export function splitMoney(minor: Minor): { sign: '' | '-'; whole: string; cents: string } {
  const size = minor < 0n ? -minor : minor
  return {
    sign: minor < 0n ? '-' : '',
    whole: (size / 100n).toString().replace(/\B(?=(?:\d{3}){1,9}$)/g, ','),
    cents: (size % 100n).toString().padStart(2, '0'),
  }
}

/** Formats an amount in the currency of the site, such as `$1,234.50`. */
export function formatMoney(minor: Minor): string {
  const { sign, whole, cents } = splitMoney(minor)
  return `${sign}${getMoneyPrefix()}${whole}.${cents}`
}

/** Formats `$1,234.50`, or `$1,234` if there are no cents. */
export function formatMoneyBriefly(minor: Minor): string {
  return minor % 100n === 0n ? formatMoney(minor).slice(0, -3) : formatMoney(minor)
}

/**
 * Converts an amount to whole units as a float, for a coordinate in a chart. Amounts are not floats
 * anywhere else.
 */
export function toChartPoint(minor: Minor): number {
  return Number(minor) / 100
}
