import type { ReactNode } from 'react'

import { joinClasses } from '../../shared/ui/join-classes.ts'

/** The result in one sentence, which a screen reader announces. */
export function Result({ isRight, children }: { isRight: boolean; children: ReactNode }) {
  return (
    <p
      role={isRight ? 'status' : 'alert'}
      className={joinClasses('text-14', isRight ? 'text-success' : 'text-declined')}
    >
      {children}
    </p>
  )
}
