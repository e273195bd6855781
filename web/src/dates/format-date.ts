import dayjs from 'dayjs'
import relativeTime from 'dayjs/plugin/relativeTime.js'

dayjs.extend(relativeTime)

const FORMATS = {
  /** Jan 5, 2024 3:04 PM */
  moment: 'MMM D, YYYY h:mm A',
  /** Jan 5, 3:04 PM */
  short: 'MMM D, h:mm A',
  /** Jan 5, 2024 */
  day: 'MMM D, YYYY',
  time: 'h:mm A',
  exact: 'YYYY-MM-DD HH:mm:ss Z',
} as const
/** `relative` is `3 hours ago`, `age` is `3 hours`. */
export type DateFormat = keyof typeof FORMATS | 'relative' | 'age'

export function formatDate(at: string | number, format: DateFormat): string {
  const moment = dayjs(at)
  if (!moment.isValid()) return 'Unknown'
  if (format === 'relative' || format === 'age') return moment.fromNow(format === 'age')
  return moment.format(FORMATS[format])
}
