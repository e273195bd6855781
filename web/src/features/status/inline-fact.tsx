import type { ReactNode } from 'react'

/** Shows a name and its value: below each other on a phone, in one line on wider screens. */
export function InlineFact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid min-h-11 sm:flex sm:min-h-6 sm:items-baseline sm:gap-x-2">
      <dt className="shrink-0 text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
