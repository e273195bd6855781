import { exportMyActivity } from '@cairn/gateway-contracts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { MoreRows } from '../../shared/ui/more-rows.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { describeActivity } from './describe-activity.ts'
import { sessionListQueries } from './queries.ts'

export function ActivityCard() {
  const query = useInfiniteQuery(sessionListQueries.listOwnActivity())
  const rows = query.data
  return (
    <Card>
      <CardHeader
        title="Activity"
        note="Actions on your account"
        action={<CsvLink endpoint={exportMyActivity} what="activity" />}
      />
      {query.isError && rows === undefined && (
        <div className="p-5">
          <FailedState
            message="The activity could not be loaded."
            error={query.error}
            onRetry={query.refetch}
            pending={query.isFetching}
          />
        </div>
      )}
      {query.isPending && (
        <div className="p-5">
          <Skeleton className="h-24 w-full" />
        </div>
      )}
      {rows?.length === 0 && <p className="p-5 text-14 text-muted">No activity yet.</p>}
      <ol className="divide-y divide-line">
        {rows?.map(({ id, action, result, at, ip }) => (
          <li
            key={id}
            className="flex flex-wrap items-baseline justify-between gap-x-4 px-5 py-2.5 text-14"
          >
            <span>{describeActivity({ action, result })}</span>
            <span className="tabular text-12 text-muted">
              {ip}, <DateText at={at} format="moment" />
            </span>
          </li>
        ))}
      </ol>
      <MoreRows query={query} label="Load older activity" />
    </Card>
  )
}
