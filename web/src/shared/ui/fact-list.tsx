import type { ReactNode } from 'react'

export function FactList({ children }: { children: ReactNode }) {
  return <dl className="text-14">{children}</dl>
}

export function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-6 border-line border-t py-2.5 first:border-t-0">
      <dt className="shrink-0 text-muted">{name}</dt>
      <dd className="min-w-0 text-right">{children}</dd>
    </div>
  )
}
