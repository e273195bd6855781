import {
  fundReserve,
  getReserve,
  type Reserve,
  sweepToReserve,
  withdrawReserve,
} from '@cairn/gateway-contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { invalidateMoney } from '../../shared/api/invalidate-money.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'
import { useSubmission } from '../../shared/api/submission-key.ts'

export type { Reserve }

type Moved = { amount: string; note: string }
export type ReserveAct =
  | ({ act: 'fund' | 'withdraw' } & Moved)
  | ({ act: 'sweep'; from: 'fees' | 'income' } & Moved)

const all = getRootKey('reserve')

export const reserveQueries = {
  readReserve: () =>
    queryOptions({
      queryKey: all,
      queryFn: ({ signal }) => call(getReserve, { query: {} }, signal),
      select: ({ reserve }) => reserve,
    }),
}

export function useReserveAction() {
  const queryClient = useQueryClient()
  const submission = useSubmission()
  return useMutation({
    mutationFn: (wanted: ReserveAct) => {
      const idempotencyKey = submission.getKey(JSON.stringify(wanted))
      if (wanted.act === 'sweep') {
        const { amount, from, note } = wanted
        return call(sweepToReserve, { body: { amount, from, note }, idempotencyKey })
      }
      const { amount, note } = wanted
      const endpoint = wanted.act === 'fund' ? fundReserve : withdrawReserve
      return call(endpoint, { body: { amount, note }, idempotencyKey })
    },
    onSuccess: () => submission.settle(),
    onError: (error) => submission.settle(error),
    onSettled: () =>
      Promise.all([queryClient.invalidateQueries({ queryKey: all }), invalidateMoney(queryClient)]),
  })
}
