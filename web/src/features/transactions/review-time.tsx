import { describeReviewTime } from '@cairn/gateway-contracts/review-wait'
import { useQuery } from '@tanstack/react-query'

import { transactionQueries } from './queries.ts'

/**
 * States that people review requests, and the measured time. If there were too few reviews, says so.
 */
export function ReviewTime({ of }: { of: 'deposit' | 'withdrawal' }) {
  const { data } = useQuery(transactionQueries.readReviewTimes())
  const measured = data?.[of]
  return (
    // The paragraph keeps its height while the times load.
    <p className="min-h-10 text-14 text-muted max-sm:min-h-15">
      Requests are reviewed by people.
      {measured === null &&
        ` Too few ${of}s were decided in the last 30 days to state a usual time.`}
      {measured &&
        ` Of ${measured.count} ${of}s in the last 30 days, ${describeReviewTime(measured)}.`}
    </p>
  )
}
