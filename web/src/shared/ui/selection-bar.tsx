import type { ReactNode } from 'react'

import { Button } from './button.tsx'
import type { RowSelection } from './row-selection.ts'

type SelectionBarProps<Row> = {
  selection: RowSelection<Row>
  /** A summary of the selected rows, for example their total. */
  summary?: ReactNode
  /** The buttons of the actions on the selected rows. */
  children: ReactNode
}

/**
 * Offers the actions on the selected rows. The bar stays at the bottom of the window, so that no
 * row moves during the selection.
 */
export function SelectionBar<Row>({ selection, summary, children }: SelectionBarProps<Row>) {
  const { rows, areAllSelected, toggleAll, clear } = selection
  if (rows.length === 0) return null
  return (
    <section
      aria-label="Selected rows"
      className="sticky bottom-10 z-20 mx-3 my-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-line-strong bg-surface px-4 py-3 text-14 shadow-raised print:hidden"
    >
      <p role="status" className="font-medium">
        {rows.length} selected
      </p>
      {summary !== undefined && <p className="text-muted">{summary}</p>}
      <div className="ml-auto flex flex-wrap gap-2">
        {!areAllSelected && (
          <Button size="small" look="quiet" onClick={toggleAll}>
            Select all
          </Button>
        )}
        <Button size="small" look="quiet" onClick={clear}>
          Clear selection
        </Button>
        {children}
      </div>
    </section>
  )
}
