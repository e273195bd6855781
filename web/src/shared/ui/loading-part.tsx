import type { ReactNode } from 'react'

/**
 * A part of a page without data, if the page shows the errors of all its parts in one place. While
 * the part loads, it shows the placeholders in `children`; after a failure, it keeps their size.
 */
export function LoadingPart({ hasFailed, children }: { hasFailed: boolean; children: ReactNode }) {
  if (!hasFailed) return children
  return (
    <div className="grid h-full grow *:col-start-1 *:row-start-1">
      <div aria-hidden="true" className="invisible">
        {children}
      </div>
      <p className="place-self-center text-14 text-muted">Not loaded</p>
    </div>
  )
}
