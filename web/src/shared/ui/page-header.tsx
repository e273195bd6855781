import type { ReactNode } from 'react'

import { usePageTitle } from './page-title.ts'
import { TextLink } from './text-link.tsx'

export function PageHeader({
  title: shownTitle,
  above,
  text,
  actions,
}: {
  /**
   * The title, if it depends on the data of the page. If it is not set, the header shows the title
   * of the route.
   */
  title?: string | undefined
  /** The parent page. It is set if the menu does not contain this page. */
  above?: { to: string; label: string }
  text?: ReactNode
  /** An element with `data-wide` has the full width on a phone. */
  actions?: ReactNode
}) {
  const title = usePageTitle(shownTitle)
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <div className="grid min-w-0 grid-cols-1 gap-1 sm:flex-1 sm:basis-48">
        {above !== undefined && (
          <nav aria-label="Breadcrumb" className="print:hidden">
            <ol className="flex min-w-0 max-w-none gap-2 text-12 text-muted">
              <li className="shrink-0">
                <TextLink to={above.to}>{above.label}</TextLink>
              </li>
              <li aria-current="page" className="truncate before:mr-2 before:content-['/']">
                {title}
              </li>
            </ol>
          </nav>
        )}
        <h1 className="break-words font-semibold text-28 tracking-tight">{title}</h1>
        {text !== undefined && <p className="text-14 text-muted">{text}</p>}
      </div>
      {actions !== undefined && (
        <div className="flex flex-wrap gap-2 max-sm:has-data-wide:w-full print:hidden">
          {actions}
        </div>
      )}
    </header>
  )
}
