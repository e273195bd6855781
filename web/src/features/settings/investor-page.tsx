import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router-dom'

import { Card } from '../../ui/card.tsx'
import { Fact, FactList } from '../../ui/fact-list.tsx'
import { FailedState } from '../../ui/failed-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useUrlState } from '../../url/url-state.ts'
import { sessionQueries } from '../session/queries.ts'

export function InvestorSettingsPage() {
  const [search] = useSearchParams()
  const url = useUrlState()
  return (
    <>
      <PageHeader title="Settings" />
      <Tabs
        label="Settings"
        value={search.get('tab') ?? 'profile'}
        onChange={(tab) => url.set({ tab }, { replace: true })}
        tabs={[
          { id: 'profile', label: 'Profile', content: <Profile /> },
          {
            id: 'security',
            label: 'Security',
            content: <NotYet what="Changing your password here" />,
          },
          {
            id: 'notifications',
            label: 'Notifications',
            content: <NotYet what="Choosing your notifications" />,
          },
        ]}
      />
    </>
  )
}

function Profile() {
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
  if (me === undefined) return <Skeleton className="h-64 w-full rounded-card" />
  const address = [me.firstAddress, me.secondAddress, me.townCity].filter(Boolean).join(', ')
  return (
    <div className="grid max-w-2xl gap-4">
      <Card className="p-5">
        <FactList>
          <Fact name="Name">{me.name}</Fact>
          <Fact name="Email">{me.email}</Fact>
          <Fact name="Phone">{me.phone}</Fact>
          <Fact name="Country">{me.countryName}</Fact>
          <Fact name="Address">{address}</Fact>
        </FactList>
      </Card>
      <NotYet what="Editing these details" />
    </div>
  )
}

function NotYet({ what }: { what: string }) {
  return (
    <Notice tone="info" className="max-w-2xl">
      {what} is not built yet.{' '}
      <TextLink to="/manage/investor/dashboard" className="text-current">
        Back to the dashboard
      </TextLink>
    </Notice>
  )
}
