import {
  changeUserStatus,
  fundUserWallet,
  listUsers,
  type RequestOf,
  type User,
} from '@cairn/gateway-contracts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import { call } from '../../api/client.ts'
import { invalidateMoney } from '../../api/invalidate-money.ts'
import { useSubmission } from '../../api/submission-key.ts'

export type { User }
export type UserQuery = NonNullable<RequestOf<typeof listUsers>['query']>
type StatusVerb = RequestOf<typeof changeUserStatus>['body']['status']
type Funding = RequestOf<typeof fundUserWallet>['body']

const all = ['users'] as const

export const userQueries = {
  all,
  list: (query: UserQuery) =>
    queryOptions({
      queryKey: [...all, 'list', query],
      queryFn: ({ signal }) => call(listUsers, { query }, signal),
      placeholderData: keepPreviousData,
    }),
}

export function useChangeStatus() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, status }: { id: string; status: StatusVerb }) =>
      call(changeUserStatus, { params: { id }, body: { status } }),
    onSettled: () => invalidateMoney(queryClient),
  })
}

export function useFundWallet() {
  const queryClient = useQueryClient()
  const submission = useSubmission()
  return useMutation({
    mutationFn: ({ id, body }: { id: string; body: Funding }) =>
      call(fundUserWallet, {
        params: { id },
        body,
        idempotencyKey: submission.keyFor(JSON.stringify([id, body])),
      }),
    onSuccess: () => submission.settle(),
    onError: (error) => submission.settle(error),
    onSettled: () => invalidateMoney(queryClient),
  })
}
