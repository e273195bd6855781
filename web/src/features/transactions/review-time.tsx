import { describeReviewTime } from '@cairn/gateway-contracts/review-wait'
import { useQuery } from '@tanstack/react-query'

import { transactionQueries } from './queries.ts'

type ReviewedRequest = { type: 'deposit'; method: string } | { type: 'withdrawal' }

/**
 * States that people review requests, and the measured time of such requests: of deposits by the
 * same payment method, or of withdrawals. If there were too few reviews, says so.
 */
export function ReviewTime({ of }: { of: ReviewedRequest }) {
  const { data } = useQuery(transactionQueries.readReviewTimes())
  const requests = of.type === 'deposit' ? `deposits by ${of.method}` : 'withdrawals'
  const measured =
    of.type === 'withdrawal'
      ? data?.withdrawal
      : data?.depositMethods.find(({ method }) => method === of.method)
  return (
    // The paragraph keeps its height while the times load.
    <p className="min-h-10 text-14 text-muted max-sm:min-h-15">
      Requests are reviewed by people.
      {data !== undefined &&
        !measured &&
        ` Too few ${requests} were decided in the last 30 days to state a usual time.`}
      {measured &&
        ` Of ${measured.count} ${requests} in the last 30 days, ${describeReviewTime(measured)}.`}
    </p>
  )
}
