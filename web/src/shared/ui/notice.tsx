import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

import { joinClasses } from './join-classes.ts'

type NoticeTone = 'info' | 'success' | 'warning' | 'error'

const TONES = {
  info: { icon: Info, look: 'bg-info-soft text-info' },
  success: { icon: CircleCheck, look: 'bg-success-soft text-success' },
  warning: { icon: TriangleAlert, look: 'bg-pending-soft text-pending' },
  error: { icon: CircleAlert, look: 'bg-declined-soft text-declined' },
} as const

/**
 * An inline message. An error is announced at once (`alert`); any other message is announced
 * politely (`status`).
 */
export function Notice({
  tone,
  children,
  action,
  className,
}: {
  tone: NoticeTone
  children: ReactNode
  action?: ReactNode
  className?: string | undefined
}) {
  const { icon: Icon, look } = TONES[tone]
  return (
    <div
      role={tone === 'error' ? 'alert' : undefined}
      className={joinClasses(
        'flex gap-3 rounded-card px-4 py-3 text-14',
        action === undefined ? 'items-start' : 'items-center',
        look,
        className,
      )}
    >
      <Icon
        aria-hidden="true"
        className={joinClasses('size-4 shrink-0', action === undefined && 'mt-0.5')}
      />
      <div className="min-w-0 flex-1 text-balance">{children}</div>
      {action}
    </div>
  )
}
