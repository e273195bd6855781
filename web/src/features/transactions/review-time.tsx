import { describeReviewTime } from '@cairn/gateway-contracts/review-wait'
import { useQuery } from '@tanstack/react-query'

import { transactionQueries } from './queries.ts'

/**
 * States that people review requests. If there are enough reviews, also states the measured time.
 */
export function ReviewTime({ of }: { of: 'deposit' | 'withdrawal' }) {
  const { data } = useQuery(transactionQueries.readReviewTimes())
  const measured = data?.[of] ?? null
  return (
    <p className="text-14 text-muted">
      Requests are reviewed by people.
      {measured !== null &&
        ` Of ${measured.count} ${of}s in the last 30 days, ${describeReviewTime(measured)}.`}
    </p>
  )
}
