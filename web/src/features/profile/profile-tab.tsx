import { useQuery } from '@tanstack/react-query'

import { Card } from '../../shared/ui/card.tsx'
import { Fact, FactList } from '../../shared/ui/fact-list.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { sessionQueries } from '../sessions/index.ts'
import { EmailConfirmation } from './email-confirmation.tsx'
import { ProfileForm } from './profile-form.tsx'

export function ProfileTab() {
  const { data: me, isError, refetch, isFetching } = useQuery(sessionQueries.me())
  if (isError && me === undefined) {
    return (
      <FailedState
        message="Your profile could not be loaded."
        onRetry={refetch}
        pending={isFetching}
      />
    )
  }
  if (me === undefined) return <Skeleton className="h-96 w-full rounded-card" />
  const address = [me.firstAddress, me.secondAddress, me.townCity].filter(Boolean).join(', ')
  return (
    <div className="grid gap-6">
      {me.pendingEmail !== null && <EmailConfirmation me={me} pendingEmail={me.pendingEmail} />}
      {me.pendingName !== null && (
        <Notice tone="info">
          Your new name “{me.pendingName}” is waiting for a review by an administrator. Until it is
          approved, your account keeps the name {me.name}. To cancel the change, save the current
          name.
        </Notice>
      )}
      <ProfileForm key={me.id} me={me} />
      <Card className="px-5 py-2">
        <FactList>
          <Fact name="Account ID">
            <span className="tabular">{me.accountId}</span>
          </Fact>
          {address !== '' && <Fact name="Address">{address}</Fact>}
          {me.gender !== null && <Fact name="Gender">{me.gender}</Fact>}
        </FactList>
      </Card>
    </div>
  )
}
