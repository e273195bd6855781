import { ChevronRight, Clock, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

import { joinClasses } from '../../shared/ui/join-classes.ts'
import { Link } from '../../shared/url/navigation.tsx'

type TaskProps = {
  to: string
  icon?: LucideIcon
  title: ReactNode
  note: ReactNode
  /** True if a long title takes a second line. By default, its end is cut. */
  isTitleWrapping?: boolean
}

/** Links to an open task, with its age or its next step. */
export function TaskLink({
  to,
  icon: Icon = Clock,
  title,
  note,
  isTitleWrapping = false,
}: TaskProps) {
  return (
    <Link
      to={to}
      className="flex min-h-14 items-center gap-3 rounded-card px-3 py-2 hover:bg-sunken"
    >
      <span
        aria-hidden="true"
        className="flex size-9 shrink-0 items-center justify-center rounded-full bg-pending-soft text-pending"
      >
        <Icon className="size-4" />
      </span>
      <span className="grid min-w-0">
        <span className={joinClasses('font-medium text-14', !isTitleWrapping && 'truncate')}>
          {title}
        </span>
        {note !== null && <span className="truncate text-12 text-muted">{note}</span>}
      </span>
      <ChevronRight aria-hidden="true" className="ml-auto size-4 shrink-0 text-muted" />
    </Link>
  )
}
