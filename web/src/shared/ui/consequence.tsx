import type { ReactNode } from 'react'

/** What an act will do, in a sentence, before the button that does it. */
export function Consequence({ children }: { children: ReactNode }) {
  return <p className="rounded-card bg-sunken px-4 py-3 text-14">{children}</p>
}
