import { getDayIn, getOffsetMs } from '@cairn/gateway-contracts'
import dayjs from 'dayjs'
import relativeTime from 'dayjs/plugin/relativeTime.js'

import { type DatePreferences, getDatePreferences, getTimeZone } from './date-preferences.ts'

dayjs.extend(relativeTime)

const DAY = { year: 'numeric', month: 'short', day: 'numeric' } as const
const STYLES = {
  day: DAY,
  dayOfYear: { month: 'short', day: 'numeric' },
  month: { month: 'short' },
  monthOfYear: { year: 'numeric', month: 'short' },
  time: { timeStyle: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>
const CALENDAR_DAY = /^\d{4}-\d{2}-\d{2}$/
const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * The formats, for a reader without preferences: `moment` is `Jan 5, 2024, 3:04 PM`, `short` omits
 * the year, `day` omits the time, `month` is `Jan`, and `monthOfYear` is `Jan 2024`; `exact` is
 * `2024-01-05 15:04:05 +01:00`, `relative` is `3 hours ago`, and `age` is `3 hours`.
 */
export type DateFormat =
  | 'moment'
  | 'short'
  | 'day'
  | 'dayOfYear'
  | 'month'
  | 'monthOfYear'
  | 'time'
  | 'exact'
  | 'relative'
  | 'age'

/**
 * Formats a time in the reader's time zone and language. A date without a time is not converted, so
 * it is the same in every zone.
 */
export function formatDate(
  at: string | number,
  format: DateFormat,
  preferences: DatePreferences = getDatePreferences(),
): string {
  const atMs = typeof at === 'number' ? at : Date.parse(at)
  if (Number.isNaN(atMs)) return 'Unknown'
  const isDay = typeof at === 'string' && CALENDAR_DAY.test(at)
  const zone = isDay ? 'UTC' : getTimeZone(preferences)
  const write = (style: keyof typeof STYLES) =>
    getFormat(preferences.language ?? 'en-US', zone, style)
      .format(atMs)
      .replaceAll('\u202f', ' ')
  switch (format) {
    case 'relative':
    case 'age':
      return dayjs(atMs).fromNow(format === 'age')
    case 'exact':
      return formatExactly(atMs, zone)
    case 'moment':
      return `${write('day')}, ${write('time')}`
    case 'short':
      return `${write('dayOfYear')}, ${write('time')}`
    default:
      return write(format)
  }
}

function getFormat(
  language: string,
  timeZone: string,
  style: keyof typeof STYLES,
): Intl.DateTimeFormat {
  const key = `${language} ${timeZone} ${style}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const latin = { calendar: 'gregory', numberingSystem: 'latn', timeZone } as const
  const made = new Intl.DateTimeFormat(language, { ...STYLES[style], ...latin })
  formats.set(key, made)
  return made
}

function formatExactly(atMs: number, zone: string): string {
  const aheadMs = getOffsetMs(zone, atMs)
  const time = new Date(atMs + aheadMs).toISOString().slice(11, 19)
  const offset = new Date(Math.abs(aheadMs)).toISOString().slice(11, 16)
  return `${getDayIn(zone, atMs)} ${time} ${aheadMs < 0 ? '-' : '+'}${offset}`
}
