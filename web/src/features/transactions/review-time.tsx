import { useQuery } from '@tanstack/react-query'

import { transactionQueries } from './queries.ts'
import { describeWait } from './review-wait.ts'

/**
 * States that people review requests. If there are enough reviews, also states the measured time.
 */
export function ReviewTime({ of }: { of: 'deposit' | 'withdrawal' }) {
  const { data } = useQuery(transactionQueries.readReviewTimes())
  const measured = data?.[of] ?? null
  return (
    <p className="text-14 text-muted">
      {data !== undefined && measured === null
        ? 'Reviewed by people. Usual time not measured yet.'
        : 'Requests are reviewed by people.'}
      {measured !== null && (
        <>
          {' '}
          Of {measured.count} {of}s in the last 30 days, half were decided within{' '}
          {describeWait(measured.medianMs)}, nine out of ten within {describeWait(measured.p90Ms)}.
        </>
      )}
    </p>
  )
}
