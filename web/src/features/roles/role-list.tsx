import type { GrantedRole } from '@cairn/gateway-contracts'
import { CalendarX, KeyRound } from 'lucide-react'

import { getCurrentMinute } from '../../shared/dates/current-minute.ts'
import { Badge } from '../../shared/ui/badge.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { hasEnded, ROLE_LABELS } from './role-labels.ts'

/** Lists the roles of one administrator. Marks the roles that have expired. */
export function RoleList({ roles }: { roles: readonly GrantedRole[] }) {
  const nowMs = getCurrentMinute()
  if (roles.length === 0) return <span className="text-14 text-muted">No role</span>
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {roles.map((granted) => {
        const isOver = hasEnded(granted, nowMs)
        return (
          <span key={granted.role} className="flex flex-wrap items-center gap-2">
            <Badge
              tone={isOver ? 'neutral' : 'info'}
              icon={isOver ? CalendarX : KeyRound}
              word={ROLE_LABELS[granted.role]}
            />
            {granted.endsAt !== null && (
              <span className="text-12 text-muted">
                {isOver ? 'ended' : 'until'}{' '}
                {/* A role ends at the end of a day in UTC, which is the next day further east. */}
                <DateText at={granted.endsAt.slice(0, 10)} format="day" />
              </span>
            )}
          </span>
        )
      })}
    </span>
  )
}
