import { useQuery } from '@tanstack/react-query'

import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { Timeline, transactionQueries } from '../transactions/index.ts'
import type { LogEvent } from './queries.ts'

/** Lists the other events of the transaction to which this event belongs. */
export function RelatedEvents({ event }: { event: LogEvent }) {
  const { transactionId } = event.data
  const id = typeof transactionId === 'string' ? transactionId : null
  const detail = useQuery({ ...transactionQueries.readTransaction(id ?? ''), enabled: id !== null })
  const steps = detail.data?.timeline ?? []
  const isLoading = id !== null && detail.isPending
  if (steps.length === 0 && !isLoading) return null
  return (
    <Card>
      <CardHeader title="Related events" />
      <div className="p-5">
        {isLoading ? <Skeleton className="h-24 w-full" /> : <Timeline steps={steps} />}
      </div>
    </Card>
  )
}
