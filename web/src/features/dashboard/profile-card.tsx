import { useQuery } from '@tanstack/react-query'

import { Avatar } from '../../shared/ui/avatar.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { Fact, FactList } from '../../shared/ui/fact-list.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { ReferralLink } from '../referrals/index.ts'
import { sessionQueries } from '../sessions/index.ts'
import { settingsQueries } from '../settings/index.ts'

export function ProfileCard() {
  const { data: me, isError, refetch, isFetching } = useQuery(sessionQueries.me())
  if (me === undefined) {
    return (
      <Card>
        <CardHeader title="Profile" />
        <div className="p-5">
          {isError ? (
            <FailedState
              message="Your profile could not be loaded."
              onRetry={refetch}
              pending={isFetching}
            />
          ) : (
            <Skeleton className="h-56 w-full" />
          )}
        </div>
      </Card>
    )
  }
  return (
    <Card>
      <CardHeader title="Profile" />
      <div className="grid gap-5 p-5">
        <div className="flex items-center gap-4">
          <Avatar name={me.name} photo={me.photo} className="size-12 text-20" />
          <div className="grid min-w-0">
            <span className="truncate font-semibold">{me.name}</span>
            <span className="truncate text-14 text-muted">{me.email}</span>
          </div>
        </div>
        <FactList>
          <Fact name="Phone">{me.phone}</Fact>
          <Fact name="Country">{me.countryName}</Fact>
          <Fact name="Account id">
            <span className="tabular">{me.accountId}</span>
          </Fact>
        </FactList>
        <Referral link={me.referralLink} />
      </div>
    </Card>
  )
}

function Referral({ link }: { link: string }) {
  const settings = useQuery(settingsQueries.readPublic()).data
  if (settings?.isReferralEnabled === false) return null
  return (
    <div className="grid gap-2">
      <h3 className="font-semibold text-14">Your referral link</h3>
      <ReferralLink link={link} />
      <TextLink to="/manage/investor/referrals" className="w-fit text-14">
        View Referrals
      </TextLink>
    </div>
  )
}
