/** Minor units. The API speaks in numbers with two decimals; here money is whole cents. */
export type Minor = bigint

const TYPED = /^(-?)(\d{1,13})(?:\.(\d{1,2}))?$/
// A sum may have more digits than any amount that can be entered.
const SUM = /^(-?)(\d{1,18})(?:\.(\d{1,2}))?$/

/** Reads an amount of the API or of a form; null when it is not one. */
export function parseMoney(value: number | string): Minor | null {
  // A number of the API has two decimals at most, and below 2^53 cents `toFixed` is exact.
  const match = typeof value === 'number' ? SUM.exec(value.toFixed(2)) : TYPED.exec(value.trim())
  if (match === null) return null
  const [, sign = '', dollars = '0', cents = ''] = match
  const minor = BigInt(dollars) * 100n + BigInt(cents.padEnd(2, '0'))
  return sign === '-' ? -minor : minor
}

/** An amount that the API sent; anything else is a bug of ours. */
export function toMinor(value: number | string): Minor {
  const minor = parseMoney(value)
  if (minor === null) throw new Error(`not an amount: ${value}`)
  return minor
}

/** `1234.50`: what the API reads. */
export function toAmountText(minor: Minor): string {
  const { sign, dollars, cents } = splitMoney(minor)
  return `${sign}${dollars.replaceAll(',', '')}.${cents}`
}

export function splitMoney(minor: Minor): { sign: '' | '-'; dollars: string; cents: string } {
  const size = minor < 0n ? -minor : minor
  return {
    sign: minor < 0n ? '-' : '',
    dollars: (size / 100n).toString().replace(/\B(?=(?:\d{3}){1,9}$)/g, ','),
    cents: (size % 100n).toString().padStart(2, '0'),
  }
}

/** `$1,234.50` */
export function formatMoney(minor: Minor): string {
  const { sign, dollars, cents } = splitMoney(minor)
  return `${sign}$${dollars}.${cents}`
}

/** `$1,234` where there are no cents to show, as in a sentence about a limit. */
export function formatMoneyBriefly(minor: Minor): string {
  return minor % 100n === 0n ? formatMoney(minor).slice(0, -3) : formatMoney(minor)
}

/** The one place where money becomes a float: a chart's coordinate. */
export function toChartPoint(minor: Minor): number {
  return Number(minor) / 100
}
