import { useQuery } from '@tanstack/react-query'

import { getErrorMessage } from '../../shared/api/failure.ts'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { Switch } from '../../shared/ui/switch.tsx'
import { type Preferences, preferenceQueries, useSavePreferences } from './queries.ts'

type Choice = {
  [Name in keyof Preferences]: Preferences[Name] extends boolean ? Name : never
}[keyof Preferences]

const CHOICES: ReadonlyArray<{ name: Choice; label: string; text: string }> = [
  {
    name: 'accountActivity',
    label: 'Account activity',
    text: 'Changes to your profile and actions on your account.',
  },
  {
    name: 'investmentUpdates',
    label: 'Investment updates',
    text: 'When an investment opens, ends or is denied.',
  },
  {
    name: 'transactionAlerts',
    label: 'Transaction alerts',
    text: 'When a request is received, approved or declined.',
  },
  {
    name: 'monthlyStatement',
    label: 'Monthly statement',
    text: 'Your statement by email once the month is over.',
  },
  {
    name: 'promotionalOffers',
    label: 'Promotional offers',
    text: 'News about plans. You can lose all the money you invest.',
  },
  { name: 'marketUpdates', label: 'Market updates', text: 'News about digital assets in general.' },
]

export function NotificationsTab() {
  const {
    data: chosen,
    isError,
    refetch,
    isFetching,
  } = useQuery(preferenceQueries.readOwnPreferences())
  const save = useSavePreferences()
  if (isError && chosen === undefined) {
    return (
      <FailedState
        message="Your choices could not be loaded."
        onRetry={refetch}
        pending={isFetching}
      />
    )
  }
  if (chosen === undefined) return <Skeleton className="h-96 w-full rounded-card" />
  return (
    <div className="grid gap-4">
      <Card>
        <CardHeader title="Email and notifications" />
        <ul className="divide-y divide-line">
          {CHOICES.map(({ name, label, text }) => (
            <li key={name} className="px-5 py-3">
              <Switch
                label={label}
                text={text}
                checked={chosen[name]}
                // The switch shows the server's value, so it moves only when the answer arrives.
                pending={save.isPending && save.variables[name] !== undefined}
                onChange={(isOn) => save.mutate({ [name]: isOn })}
              />
            </li>
          ))}
        </ul>
      </Card>
      {save.isError && (
        <Notice tone="error">
          {getErrorMessage(save.error, 'Your choice could not be saved. Please try again.')}
        </Notice>
      )}
      <p className="text-12 text-muted">
        Emails about the security of your account and about withdrawals are always sent.
      </p>
    </div>
  )
}
