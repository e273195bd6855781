import { useQuery } from '@tanstack/react-query'
import { DateText } from '../../shared/ui/date-text.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { ClosingCard } from '../closing/index.ts'
import { MfaCard } from '../mfa/index.ts'
import { PasskeysCard } from '../passkeys/index.ts'
import { ChangePasswordCard } from '../passwords/index.ts'
import { ActivityCard, SessionsCard, sessionQueries } from '../sessions/index.ts'

export function SecurityTab() {
  const me = useQuery(sessionQueries.me()).data
  const holdUntil = me?.credentialHoldUntil ?? null
  return (
    <div className="grid gap-6">
      {holdUntil !== null && Date.parse(holdUntil) > Date.now() && (
        <Notice tone="info">
          Withdrawals are paused until <DateText at={holdUntil} format="moment" />, because a
          password, an email or a second factor was changed.
        </Notice>
      )}
      <ChangePasswordCard />
      <PasskeysCard />
      <MfaCard />
      <SessionsCard />
      <ActivityCard />
      {me?.role === 'user' && <ClosingCard />}
    </div>
  )
}
