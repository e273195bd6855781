import { exportMySessions } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { MonitorSmartphone } from 'lucide-react'

import { getErrorMessage } from '../../shared/api/failure.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { describeBrowser } from './browser-name.ts'
import { type Session, sessionListQueries, useEndSession } from './queries.ts'

export function SessionsCard() {
  const {
    data: sessions,
    isError,
    refetch,
    isFetching,
  } = useQuery(sessionListQueries.listSessions())
  const end = useEndSession()
  const others = sessions?.filter(({ isCurrent }) => !isCurrent) ?? []
  return (
    <Card>
      <CardHeader
        title="Sessions"
        action={<CsvLink endpoint={exportMySessions} what="sessions" />}
      />
      {isError && sessions === undefined && (
        <div className="p-5">
          <FailedState
            message="Your sessions could not be loaded."
            onRetry={refetch}
            pending={isFetching}
          />
        </div>
      )}
      {sessions === undefined && !isError && (
        <div className="p-5">
          <Skeleton className="h-16 w-full" />
        </div>
      )}
      {end.isError && (
        <Notice tone="error" className="m-5">
          {getErrorMessage(end.error, 'The session could not be ended.')}
        </Notice>
      )}
      <ul className="divide-y divide-line">
        {sessions?.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            isEnding={end.isPending && end.variables === session.id}
            onEnd={() => end.mutate(session.id)}
          />
        ))}
      </ul>
      {others.length > 0 && (
        <div className="border-line border-t px-5 py-3">
          <Button
            size="small"
            pending={end.isPending && end.variables === null}
            onClick={() => end.mutate(null)}
          >
            End all other sessions
          </Button>
        </div>
      )}
    </Card>
  )
}

type RowProps = { session: Session; isEnding: boolean; onEnd: () => void }

/** Shows one session of the user. */
export function SessionRow({ session, isEnding, onEnd }: RowProps) {
  const name = describeBrowser(session.userAgent)
  return (
    <li className="flex items-center gap-4 px-5 py-3 text-14">
      <MonitorSmartphone aria-hidden="true" className="size-5 shrink-0 text-muted" />
      <span className="grid min-w-0 flex-1">
        <span className="font-medium">
          {name}
          {session.isCurrent && <span className="font-normal text-success"> · this browser</span>}
        </span>
        <span className="tabular break-all text-12 text-muted">{session.ip}</span>
        <span className="tabular text-12 text-muted">
          Last used <DateText at={session.lastSeenAt} format="relative" />, logged in{' '}
          <span className="whitespace-nowrap">
            <DateText at={session.createdAt} format="short" />
          </span>
        </span>
      </span>
      {!session.isCurrent && (
        <Button size="small" pending={isEnding} onClick={onEnd} aria-label={`End ${name}`}>
          End
        </Button>
      )}
    </li>
  )
}
