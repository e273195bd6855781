import {
  type Adjustment,
  listAdjustments,
  proposeAdjustment,
  type RequestOf,
} from '@cairn/gateway-contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { invalidateMoney } from '../../shared/api/invalidate-money.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'
import { useSubmission } from '../../shared/api/submission-key.ts'

export type { Adjustment }

type Proposal = RequestOf<typeof proposeAdjustment>['body']

const all = getRootKey('adjustments')

export const adjustmentQueries = {
  listAdjustments: () =>
    queryOptions({
      queryKey: [...all, 'list'],
      queryFn: ({ signal }) => call(listAdjustments, {}, signal),
      select: ({ adjustments }) => adjustments,
    }),
}

function useReadAgain() {
  const queryClient = useQueryClient()
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: all }),
      invalidateMoney(queryClient),
    ]).then(() => {})
}

export function useProposeAdjustment() {
  const readAgain = useReadAgain()
  const submission = useSubmission()
  return useMutation({
    mutationFn: (body: Proposal) =>
      call(proposeAdjustment, {
        body,
        idempotencyKey: submission.getKey(JSON.stringify(body)),
      }),
    onSuccess: () => submission.settle(),
    onError: (error) => submission.settle(error),
    onSettled: readAgain,
  })
}
