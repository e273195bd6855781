export type DecimalSign = '.' | ','

const SPACES = /[\s\u00a0\u202f'’]/g
// A code such as `EUR`, or a symbol such as `€`, `R$` or `zł`. Other letters are refused: `DR` after an
// amount means a debit.
const SYMBOL = '(?:[A-Z]{0,2}\\p{Sc}|[A-Z]{3}|zł|kr|Kč|Ft|lei|RM|Rp)'
const CURRENCY = new RegExp(`^${SYMBOL}|${SYMBOL}$`, 'gu')
const DIGITS_MAX = 13

/**
 * Returns the decimal sign of a column; null if no amount has decimals, `mixed` if the amounts have
 * different decimal signs. The whole column is needed because one amount such as `1,234` is
 * ambiguous.
 */
export function findDecimalSign(texts: readonly string[]): DecimalSign | null | 'mixed' {
  const signs = new Set<DecimalSign>()
  for (const text of texts) {
    const found = /([.,])\d{1,2}$/.exec(toPlainDigits(text).digits)?.[1]
    if (found === '.' || found === ',') signs.add(found)
  }
  if (signs.size > 1) return 'mixed'
  return signs.values().next().value ?? null
}

/**
 * Parses an amount to minor units. Returns null for invalid text. Brackets or a minus sign mean
 * negative.
 */
export function readAmount(text: string, sign: DecimalSign | null): bigint | null {
  const { digits, isNegative } = toPlainDigits(text)
  const [whole = '', cents = '', ...more] = sign === null ? [digits] : digits.split(sign)
  if (more.length > 0 || !/^\d{0,2}$/.test(cents)) return null
  const groups = sign === '.' ? /^\d{1,3}(?:,\d{3})*$/ : /^\d{1,3}(?:\.\d{3})*$/
  const either = /^\d{1,3}(?:([.,])\d{3}(?:\1\d{3})*)?$/
  const isGrouped = sign === null ? either.test(whole) : groups.test(whole)
  if (!isGrouped && !/^\d+$/.test(whole)) return null
  const plain = whole.replace(/[.,]/g, '')
  if (plain.length > DIGITS_MAX) return null
  const minor = BigInt(plain) * 100n + BigInt(cents.padEnd(2, '0'))
  return isNegative ? -minor : minor
}

function toPlainDigits(text: string): { digits: string; isNegative: boolean } {
  let rest = text.replace(SPACES, '').replace('\u2212', '-')
  let isNegative = false
  const bracketed = /^\((.*)\)$/.exec(rest)
  if (bracketed !== null) {
    rest = bracketed[1] ?? ''
    isNegative = true
  }
  rest = rest.replace(CURRENCY, '')
  const signed = /^([+-]?)(.*?)([+-]?)$/.exec(rest)
  const [, before = '', middle = '', after = ''] = signed ?? []
  if (before === '-' || after === '-') isNegative = !isNegative
  return { digits: middle.replace(CURRENCY, ''), isNegative }
}
