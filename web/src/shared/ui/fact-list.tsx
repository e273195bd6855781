import type { ReactNode } from 'react'

import { TermInfo } from './term-info.tsx'
import type { TermName } from './terms.ts'

export function FactList({ children }: { children: ReactNode }) {
  return <dl className="text-14">{children}</dl>
}

type FactProps = {
  name: ReactNode
  /** A term that the name contains. A button beside the name opens its explanation. */
  term?: TermName
  children: ReactNode
}

export function Fact({ name, term, children }: FactProps) {
  return (
    <div className="flex justify-between gap-6 border-line border-t py-2.5 first:border-t-0">
      <dt className="shrink-0 text-muted">
        {name}
        {term !== undefined && <TermInfo term={term} />}
      </dt>
      <dd className="min-w-0 text-right">{children}</dd>
    </div>
  )
}
