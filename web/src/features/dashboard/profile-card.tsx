import { useQuery } from '@tanstack/react-query'

import { Avatar } from '../../shared/ui/avatar.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { LoadingPart } from '../../shared/ui/loading-part.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { ReferralLink } from '../referrals/index.ts'
import { type SignedIn, sessionQueries } from '../sessions/index.ts'
import { settingsQueries } from '../settings/index.ts'

export function ProfileCard() {
  const { data: me, isError } = useQuery(sessionQueries.me())
  return (
    <Card>
      <CardHeader
        title="Profile"
        action={
          <TextLink to="/manage/investor/settings" className="text-14">
            Edit
          </TextLink>
        }
      />
      {me !== undefined ? (
        <Profile me={me} />
      ) : (
        <LoadingPart hasFailed={isError}>
          <div className="p-5">
            <Skeleton className="h-56 w-full" />
          </div>
        </LoadingPart>
      )}
    </Card>
  )
}

function Profile({ me }: { me: SignedIn }) {
  return (
    <div className="grid grid-cols-1 gap-4 px-5 py-4">
      <div className="flex items-center gap-4">
        <Avatar name={me.name} photo={me.photo} className="size-12 text-20" />
        <div className="grid min-w-0 text-14">
          <span className="truncate font-semibold text-16">{me.name}</span>
          <span className="truncate text-muted">{me.email}</span>
        </div>
      </div>
      <p className="text-12 text-muted">
        Account ID <span className="tabular text-ink">{me.accountId}</span>
      </p>
      <Referral link={me.referralLink} />
    </div>
  )
}

function Referral({ link }: { link: string }) {
  const settings = useQuery(settingsQueries.readPublic()).data
  if (settings?.isReferralEnabled === false) return null
  return (
    <div className="grid grid-cols-1 gap-2 border-line border-t pt-4">
      <div className="flex items-baseline justify-between gap-3">
        <h3 className="font-semibold text-14">Your referral link</h3>
        <TextLink to="/manage/investor/referrals" className="text-14">
          View Referrals
        </TextLink>
      </div>
      <ReferralLink link={link} />
    </div>
  )
}
