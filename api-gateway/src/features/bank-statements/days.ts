export type DayOrder = 'day-first' | 'month-first'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const YEAR_FIRST = /^(\d{4})[-/.]?(\d{2})[-/.]?(\d{2})(?:[T ].*)?$/
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?: .*)?$/
const NAMED = /^(\d{1,2})[- ]([A-Za-z]{3})[a-z]*[- ,]+(\d{4})$/

/**
 * Returns the order of day and month, derived from all dates of a column: `open` if every date
 * permits both orders, `mixed` if two dates require different orders.
 */
export function findDayOrder(texts: readonly string[]): DayOrder | 'open' | 'mixed' {
  let [isDayFirst, isMonthFirst, isAsked] = [false, false, false]
  for (const text of texts) {
    const match = YEAR_LAST.exec(text.trim())
    if (match === null) continue
    const [, first = '', sign, second = ''] = match
    // In dates with dots, the day is always before the month.
    if (sign === '.' || Number(first) > 12) isDayFirst = true
    else if (Number(second) > 12) isMonthFirst = true
    else if (first !== second) isAsked = true
  }
  if (isDayFirst && isMonthFirst) return 'mixed'
  if (isMonthFirst) return 'month-first'
  return isDayFirst || !isAsked ? 'day-first' : 'open'
}

/** Returns the day in the form `2026-11-21`; null if the text is not a valid date. */
export function readDay(text: string, order: DayOrder): string | null {
  const trimmed = text.trim()
  const ordered = YEAR_FIRST.exec(trimmed)
  if (ordered !== null) return toDay(ordered[1], ordered[2], ordered[3])
  const named = NAMED.exec(trimmed)
  if (named !== null) {
    const month = MONTHS.indexOf((named[2] ?? '').toLowerCase()) + 1
    return toDay(named[3], String(month), named[1])
  }
  const [, first, , second, year = ''] = YEAR_LAST.exec(trimmed) ?? []
  const full = year.length === 2 ? `20${year}` : year
  return order === 'day-first' ? toDay(full, second, first) : toDay(full, first, second)
}

function toDay(year = '', month = '', day = ''): string | null {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const at = new Date(`${text}T00:00:00Z`)
  if (Number.isNaN(at.getTime()) || !/^(19|20)\d\d-/.test(text)) return null
  // `Date` converts 31 April to 1 May, so the result is compared with the text.
  return at.toISOString().slice(0, 10) === text ? text : null
}
