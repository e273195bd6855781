import {
  ArrowDownLeft,
  ArrowLeftRight,
  ArrowUpRight,
  ChartNoAxesColumn,
  ClipboardCheck,
  type LucideIcon,
  ShieldCheck,
  Users,
} from 'lucide-react'

import { DateText } from '../../shared/ui/date-text.tsx'
import type { Notification } from './queries.ts'

const ICONS: Record<Notification['kind'], LucideIcon> = {
  deposit: ArrowDownLeft,
  withdrawal: ArrowUpRight,
  transfer: ArrowLeftRight,
  investment: ChartNoAxesColumn,
  referral: Users,
  security: ShieldCheck,
  review: ClipboardCheck,
}

export function NotificationRow({ notification }: { notification: Notification }) {
  const { kind, title, body, createdAt, readAt } = notification
  const Icon = ICONS[kind]
  return (
    <span className="flex items-start gap-3 text-left text-14">
      <span
        aria-hidden="true"
        className="flex size-8 shrink-0 items-center justify-center rounded-full bg-sunken text-muted"
      >
        <Icon className="size-4" />
      </span>
      <span className="wrap-anywhere grid min-w-0 flex-1">
        <span className={readAt === null ? 'font-semibold' : undefined}>
          {title}
          {readAt === null && <span className="sr-only">, unread</span>}
        </span>
        <span className="text-12 text-muted">{body}</span>
        <span className="text-12 text-muted">
          <DateText at={createdAt} format="relative" />
        </span>
      </span>
      {readAt === null && (
        <span aria-hidden="true" className="mt-1.5 size-2 shrink-0 rounded-full bg-accent" />
      )}
    </span>
  )
}
