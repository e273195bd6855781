import type { ReactNode } from 'react'

/** States the consequence of an action above its button. */
export function Consequence({ children }: { children: ReactNode }) {
  return <p className="rounded-card bg-sunken px-4 py-3 text-14">{children}</p>
}
