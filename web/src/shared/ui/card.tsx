import type { ComponentProps, ReactNode } from 'react'

import { joinClasses } from './join-classes.ts'
import { TermInfo } from './term-info.tsx'
import type { TermName } from './terms.ts'

export function Card({ className, ...rest }: ComponentProps<'section'>) {
  return (
    <section
      {...rest}
      className={joinClasses('min-w-0 rounded-card border border-line bg-surface', className)}
    />
  )
}

/** Shows several actions of a `CardHeader` beside each other. */
export function HeaderActions({ children }: { children: ReactNode }) {
  return <span className="flex flex-wrap items-center gap-2">{children}</span>
}

export function CardHeader({
  title,
  term,
  note,
  action,
}: {
  title: string
  /** A term that the title contains. A button beside the title explains the term. */
  term?: TermName | undefined
  note?: ReactNode
  action?: ReactNode
}) {
  return (
    <div
      data-header=""
      className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-b px-5 py-2"
    >
      <div className="flex min-w-0 grow basis-24 flex-wrap items-baseline gap-x-3">
        <div className="flex items-center gap-0.5">
          <h2 className="font-semibold text-16">{title}</h2>
          {term !== undefined && <TermInfo term={term} />}
        </div>
        {note !== undefined && <span className="text-12 text-muted">{note}</span>}
      </div>
      {action}
    </div>
  )
}
