import { type DateFormat, formatDate } from '../dates/format-date.ts'

/** A moment in the reader's zone; the exact one on hover and for machines. */
export function DateText({ at, format }: { at: string; format: DateFormat }) {
  return (
    <time dateTime={at} title={formatDate(at, 'exact')} className="whitespace-nowrap">
      {formatDate(at, format)}
    </time>
  )
}
