import type { ReactNode } from 'react'

import { joinClasses } from './join-classes.ts'
import { TermInfo } from './term-info.tsx'
import type { TermName } from './terms.ts'

export function FactList({ children }: { children: ReactNode }) {
  return <dl className="text-14">{children}</dl>
}

type FactProps = {
  name: ReactNode
  /** A term that the name contains. A button beside the name opens its explanation. */
  term?: TermName
  /** True if the value is long, such as a hash. It is then below its name. */
  isLong?: boolean
  children: ReactNode
}

export function Fact({ name, term, isLong = false, children }: FactProps) {
  return (
    <div
      className={joinClasses(
        'border-line border-t py-2.5 first:border-t-0',
        isLong ? 'grid gap-0.5' : 'flex justify-between gap-4',
      )}
    >
      <dt className="max-w-[60%] shrink-0 text-muted">
        {name}
        {term !== undefined && <TermInfo term={term} />}
      </dt>
      <dd className={joinClasses('min-w-0', !isLong && 'text-right')}>{children}</dd>
    </div>
  )
}
