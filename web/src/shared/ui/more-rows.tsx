import type { ReactNode } from 'react'

import { Button } from './button.tsx'
import { FailedState } from './failed-state.tsx'

type MoreRowsProps = {
  query: {
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    error?: unknown
    fetchNextPage: () => unknown
  }
  /** The label of the button. It names the rows that the button loads. */
  label: string
  children?: ReactNode
}

/** The end of a list that loads in pages; renders nothing after the last page. */
export function MoreRows({ query, label, children }: MoreRowsProps) {
  if (!query.hasNextPage) return null
  return (
    <div className="flex flex-wrap items-center gap-4 border-line border-t px-5 py-4 text-14">
      {query.isFetchNextPageError ? (
        <FailedState
          message="More rows could not be loaded."
          error={query.error}
          onRetry={query.fetchNextPage}
          pending={query.isFetchingNextPage}
        />
      ) : (
        <Button pending={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {label}
        </Button>
      )}
      {children}
    </div>
  )
}
