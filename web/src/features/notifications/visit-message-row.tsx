import { Check } from 'lucide-react'

import { DateText } from '../../shared/ui/date-text.tsx'
import type { VisitMessage } from '../../shared/ui/visit-messages.ts'

/** A success of this visit. It needs no mark for unread, because it was shown when it happened. */
export function VisitMessageRow({ message }: { message: VisitMessage }) {
  return (
    <span className="flex items-start gap-3 text-left text-14">
      <span
        aria-hidden="true"
        className="flex size-8 shrink-0 items-center justify-center rounded-full bg-sunken text-success"
      >
        <Check className="size-4" />
      </span>
      <span className="wrap-anywhere grid min-w-0 flex-1">
        <span>{message.text}</span>
        <span className="text-12 text-muted">
          <DateText at={message.at} format="relative" />
        </span>
      </span>
    </span>
  )
}
