import {
  type Adjustment,
  listAdjustments,
  proposeAdjustment,
  type RequestOf,
} from '@cairn/gateway-contracts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { invalidateMoney } from '../../shared/api/invalidate-money.ts'
import { useKeyedMutation } from '../../shared/api/keyed-mutation.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'

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
  return useKeyedMutation({
    send: (body: Proposal, idempotencyKey) => call(proposeAdjustment, { body, idempotencyKey }),
    reload: readAgain,
  })
}
