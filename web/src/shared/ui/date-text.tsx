import { type DateFormat, formatDate } from '../dates/format-date.ts'
import { useReader } from '../dates/reader.ts'

/** Shows a time in the reader's zone; the exact time is in the tooltip and in `dateTime`. */
export function DateText({ at, format }: { at: string; format: DateFormat }) {
  const reader = useReader()
  return (
    <time dateTime={at} title={formatDate(at, 'exact', reader)} className="whitespace-nowrap">
      {formatDate(at, format, reader)}
    </time>
  )
}
