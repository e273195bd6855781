import { exportUserSessions } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'

import { getErrorMessage } from '../../shared/api/failure.ts'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { SessionRow } from '../sessions/index.ts'
import { type User, useEndUserSession, userQueries } from './queries.ts'

/** Lists the sessions of a user. The administrator can end each session separately. */
export function UserSessions({ user }: { user: User }) {
  const query = useQuery(userQueries.listUserSessions(user.id))
  const end = useEndUserSession(user.id)
  return (
    <Card>
      <CardHeader
        title="Sessions"
        action={<CsvLink endpoint={exportUserSessions} params={{ id: user.id }} what="sessions" />}
      />
      {query.isError && (
        <div className="p-5">
          <FailedState
            message={getErrorMessage(query.error, 'The sessions could not be loaded.')}
            error={query.error}
            onRetry={query.refetch}
            pending={query.isFetching}
          />
        </div>
      )}
      {query.isPending && <Skeleton className="m-5 h-16 w-[calc(100%-2.5rem)]" />}
      {end.isError && (
        <Notice tone="error" className="m-5">
          {getErrorMessage(end.error, 'The session could not be ended.')}
        </Notice>
      )}
      {query.data?.length === 0 && <EmptyState title={`${user.name} has no active sessions`} />}
      <ul className="divide-y divide-line">
        {query.data?.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            isEnding={end.isPending && end.variables === session.id}
            onEnd={() => end.mutate(session.id)}
          />
        ))}
      </ul>
    </Card>
  )
}
