import { ChevronLeft, ChevronRight } from 'lucide-react'

import { Button } from './button.tsx'

type PaginationProps = { page: number; pages: number; onPage: (page: number) => void }

export function Pagination({ page, pages, onPage }: PaginationProps) {
  if (pages <= 1) return null
  return (
    <nav
      aria-label="Pages"
      className="flex items-center justify-between gap-4 border-line border-t px-5 py-3"
    >
      <Button size="small" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <ChevronLeft aria-hidden="true" className="size-4" />
        Previous
      </Button>
      <span className="tabular text-14 text-muted">
        Page {page} of {pages}
      </span>
      <Button size="small" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        Next
        <ChevronRight aria-hidden="true" className="size-4" />
      </Button>
    </nav>
  )
}
