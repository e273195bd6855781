import { useDatePreferences } from '../dates/date-preferences.ts'
import { type DateFormat, formatDate } from '../dates/format-date.ts'

/** Shows a time in the reader's zone; the exact time is in the tooltip and in `dateTime`. */
export function DateText({ at, format }: { at: string; format: DateFormat }) {
  const preferences = useDatePreferences()
  return (
    <time dateTime={at} title={formatDate(at, 'exact', preferences)} className="whitespace-nowrap">
      {formatDate(at, format, preferences)}
    </time>
  )
}
