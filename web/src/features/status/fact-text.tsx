import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { FactLevel } from './describe-servers.ts'

/** Shows the value of a fact. A missing protection has an icon and the colour of a warning. */
export function FactText({ level, children }: { level: FactLevel; children: ReactNode }) {
  if (level === 'normal') return children
  if (level === 'fault') return <span className="font-medium text-declined">{children}</span>
  return (
    <span className="inline-flex gap-1.5 font-medium text-pending">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      {children}
    </span>
  )
}
