import { type Endpoint, toPath } from '@cairn/gateway-contracts'
import { Download } from 'lucide-react'

import { DOWNLOAD_LINK } from './button.tsx'
import { cx } from './cx.ts'

/** Exactly what the filter leaves, all pages of it, written by the server as it is read. */
export function CsvLink({
  endpoint,
  query,
}: {
  endpoint: Endpoint
  query: Readonly<Record<string, unknown>>
}) {
  const { page: _page, limit: _limit, ...filter } = query
  return (
    <a
      href={toPath(endpoint, { query: filter })}
      download
      className={cx(DOWNLOAD_LINK, 'print:hidden')}
    >
      <Download aria-hidden="true" className="size-4" />
      Export
    </a>
  )
}
