import type { ReactNode } from 'react'

import { Button } from './button.tsx'
import { FailedState } from './failed-state.tsx'

type MoreRowsProps = {
  query: {
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    fetchNextPage: () => unknown
  }
  /** What the button brings. */
  label: string
  children?: ReactNode
}

/** The foot of a list that is read part by part; nothing once it has been read to its end. */
export function MoreRows({ query, label, children }: MoreRowsProps) {
  if (!query.hasNextPage) return null
  return (
    <div className="flex flex-wrap items-center gap-4 border-line border-t p-4 text-14">
      {query.isFetchNextPageError ? (
        <FailedState
          message="The rest could not be loaded."
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
