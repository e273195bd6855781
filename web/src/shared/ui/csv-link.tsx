import { type Endpoint, toPath } from '@cairn/gateway-contracts'
import { Download } from 'lucide-react'

import { DOWNLOAD_LINK } from './button.tsx'
import { joinClasses } from './join-classes.ts'

/** Downloads all pages of the filtered list as one CSV file. */
export function CsvLink({
  endpoint,
  query = {},
  params = {},
  what,
}: {
  endpoint: Endpoint
  query?: Readonly<Record<string, unknown>>
  params?: Readonly<Record<string, string>>
  /** The name of the list. It is needed only if a page has several lists. */
  what?: string
}) {
  const { page: _page, limit: _limit, after: _after, before: _before, ...filter } = query
  return (
    <a
      href={toPath(endpoint, { query: filter, params })}
      download
      aria-label={what === undefined ? undefined : `Export ${what}`}
      // In the header of a card on a phone, the button shows only its icon, so that the title and the
      // actions fit beside each other.
      className={joinClasses(DOWNLOAD_LINK, 'max-sm:in-data-header:px-3 print:hidden')}
    >
      <Download aria-hidden="true" className="size-4" />
      <span className="max-sm:in-data-header:sr-only">Export</span>
    </a>
  )
}
