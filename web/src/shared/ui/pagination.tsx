import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useSearchParams } from '../url/navigation.tsx'

import { isBeyondOffsets, readPageNumber, toPageParameters } from '../url/page-of.ts'
import { useUrlState } from '../url/url-state.ts'
import { Button } from './button.tsx'

type PaginationProps = {
  pages: number
  /**
   * The rows of the page that the URL names; undefined until they have loaded. Until then, a click
   * opens no page beyond the offsets, because the rows of another page would lead to a wrong one.
   */
  rows: ReadonlyArray<{ id: string }> | undefined
}

/** The pager of a list. The URL stores the page. */
export function Pagination({ pages, rows }: PaginationProps) {
  const [search] = useSearchParams()
  const url = useUrlState()
  const page = readPageNumber(search)
  if (pages <= 1) return null
  const openPage = (to: number) => {
    if (rows === undefined && isBeyondOffsets(to)) return
    url.set(toPageParameters({ from: page, to }, rows ?? []))
  }
  return (
    <nav
      aria-label="Pages"
      className="flex items-center justify-between gap-4 border-line border-t px-5 py-3"
    >
      <Button size="small" disabled={page <= 1} onClick={() => openPage(page - 1)}>
        <ChevronLeft aria-hidden="true" className="size-4" />
        Previous
      </Button>
      <span className="tabular text-14 text-muted">
        Page {page} of {pages}
      </span>
      <Button size="small" disabled={page >= pages} onClick={() => openPage(page + 1)}>
        Next
        <ChevronRight aria-hidden="true" className="size-4" />
      </Button>
    </nav>
  )
}
