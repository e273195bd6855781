import type { ReactNode } from 'react'

import { joinClasses } from './join-classes.ts'
import { usePageTitle } from './page-title.ts'
import { TextLink } from './text-link.tsx'
import { TimeZoneNote } from './time-zone-note.tsx'

export function PageHeader({
  title: shownTitle,
  above,
  text,
  hasTimes = false,
  actions,
  isSharingWidth = false,
}: {
  /**
   * The title, if it depends on the data of the page. If it is not set, the header shows the title
   * of the route.
   */
  title?: string | undefined
  /** The parent page. It is set if the menu does not contain this page. */
  above?: { to: string; label: string }
  text?: ReactNode
  /** True if the page shows clock times. The header then names their time zone. */
  hasTimes?: boolean
  actions?: ReactNode
  /** True if the actions share the whole width of a phone in equal parts. */
  isSharingWidth?: boolean
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
        {(text !== undefined || hasTimes) && (
          <p className="text-14 text-muted">
            {text}{' '}
            {hasTimes && (
              <span className="whitespace-nowrap">
                <TimeZoneNote />.
              </span>
            )}
          </p>
        )}
      </div>
      {actions !== undefined && (
        <div
          className={joinClasses(
            'flex flex-wrap gap-2 empty:hidden print:hidden',
            isSharingWidth && 'max-sm:grid max-sm:w-full max-sm:auto-cols-fr max-sm:grid-flow-col',
          )}
        >
          {actions}
        </div>
      )}
    </header>
  )
}
