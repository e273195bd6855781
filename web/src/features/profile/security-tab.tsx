import { useQuery } from '@tanstack/react-query'
import { DateText } from '../../shared/ui/date-text.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { ClosingCard } from '../closing/closing-card.tsx'
import { TwoFactorCard } from '../mfa/mfa-card.tsx'
import { ChangePasswordCard } from '../passwords/change-password-card.tsx'
import { ActivityCard } from '../sessions/activity-card.tsx'
import { sessionQueries } from '../sessions/current-session.ts'
import { SessionsCard } from '../sessions/sessions-card.tsx'

export function SecurityTab() {
  const me = useQuery(sessionQueries.me()).data
  const holdUntil = me?.credentialHoldUntil ?? null
  return (
    <div className="grid max-w-2xl gap-6">
      {holdUntil !== null && Date.parse(holdUntil) > Date.now() && (
        <Notice tone="info">
          Withdrawals are paused until <DateText at={holdUntil} format="moment" />, because a
          password, an e-mail or a second factor was changed.
        </Notice>
      )}
      <ChangePasswordCard />
      <TwoFactorCard />
      <SessionsCard />
      <ActivityCard />
      {me?.role === 'user' && <ClosingCard />}
    </div>
  )
}
