import type { ReactNode } from 'react'

import { cx } from '../../shared/ui/cx.ts'

/** The result in one sentence, which a screen reader announces. */
export function Result({ isRight, children }: { isRight: boolean; children: ReactNode }) {
  return (
    <p
      role={isRight ? 'status' : 'alert'}
      className={cx('text-14', isRight ? 'text-success' : 'text-declined')}
    >
      {children}
    </p>
  )
}
