import { CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'

export function DoneState({
  title,
  badge,
  children,
  action,
}: {
  title: string
  badge?: ReactNode
  children: ReactNode
  action: ReactNode
}) {
  return (
    <div className="grid justify-items-center gap-3 rounded-card border border-line bg-surface px-6 py-12 text-center">
      <CircleCheck aria-hidden="true" className="size-12 text-success" />
      <h2 className="font-semibold text-20">{title}</h2>
      {badge}
      <div className="grid max-w-md gap-2 text-14 text-muted">{children}</div>
      <div className="mt-3">{action}</div>
    </div>
  )
}
