import { type Endpoint, toPath } from '@cairn/gateway-contracts'
import { Download } from 'lucide-react'

import { DOWNLOAD_LINK } from './button.tsx'
import { cx } from './cx.ts'

/** Exactly what the filter leaves, all pages of it, written by the server as it is read. */
export function CsvLink({
  endpoint,
  query = {},
  params = {},
  what,
}: {
  endpoint: Endpoint
  query?: Readonly<Record<string, unknown>>
  params?: Readonly<Record<string, string>>
  /** Names the list where a page has several. */
  what?: string
}) {
  const { page: _page, limit: _limit, ...filter } = query
  return (
    <a
      href={toPath(endpoint, { query: filter, params })}
      download
      aria-label={what === undefined ? undefined : `Export ${what}`}
      className={cx(DOWNLOAD_LINK, 'print:hidden')}
    >
      <Download aria-hidden="true" className="size-4" />
      Export
    </a>
  )
}
