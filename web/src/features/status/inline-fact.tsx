import type { ReactNode } from 'react'

/**
 * Shows a name above its value. The height does not depend on the value, so that nothing moves when
 * the value has loaded.
 */
export function InlineFact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid min-h-11 content-start gap-0.5">
      <dt className="text-12 text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
