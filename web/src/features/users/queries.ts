import {
  changeUserStatus,
  deleteUser,
  endUserSession,
  forcePasswordReset,
  fundUserWallet,
  type ListedUser,
  listUserSessions,
  listUsers,
  payOutUser,
  type RequestOf,
  resetUserMfa,
  reviewName,
  revokeUserSessions,
  type User,
} from '@cairn/gateway-contracts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { invalidateMoney } from '../../shared/api/invalidate-money.ts'
import { useKeyedMutation } from '../../shared/api/keyed-mutation.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'
import { getUserDetailQuery, type UserDetail } from '../notes/index.ts'

export type { ListedUser, User, UserDetail }
export type UserQuery = NonNullable<RequestOf<typeof listUsers>['query']>
type StatusChange = RequestOf<typeof changeUserStatus>['body']
type Payout = RequestOf<typeof payOutUser>['body']
type Funding = RequestOf<typeof fundUserWallet>['body']

const all = getRootKey('users')

export const userQueries = {
  all,
  listUsers: (query: UserQuery) =>
    queryOptions({
      queryKey: [...all, 'list', query],
      queryFn: ({ signal }) => call(listUsers, { query }, signal),
      placeholderData: keepPreviousData,
    }),
  one: getUserDetailQuery,
  listUserSessions: (id: string) =>
    queryOptions({
      queryKey: [...all, 'sessions', id],
      queryFn: ({ signal }) => call(listUserSessions, { params: { id } }, signal),
      select: ({ sessions }) => sessions,
    }),
}

export function useEndUserSession(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (sessionId: string) => call(endUserSession, { params: { id, sessionId } }),
    onSettled: () =>
      queryClient.invalidateQueries({ queryKey: userQueries.listUserSessions(id).queryKey }),
  })
}

/** Approves or rejects the new name of a user. */
export function useReviewName(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: RequestOf<typeof reviewName>['body']) =>
      call(reviewName, { params: { id }, body }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: all }),
  })
}

/** Resets a lost second factor; the audit log records the proof of identity. */
export function useResetFactor(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (proof: string) => call(resetUserMfa, { params: { id }, body: { proof } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: all }),
  })
}

/** Ends all sessions of a user, forces a password reset, or deletes the account. */
export function useAccountAction(
  id: string,
  act: 'revoke' | 'reset' | 'delete',
  body: { reason?: string } = {},
) {
  const queryClient = useQueryClient()
  const params = { id }
  return useMutation({
    mutationFn: () => {
      if (act === 'revoke') return call(revokeUserSessions, { params })
      return call(act === 'reset' ? forcePasswordReset : deleteUser, { params, body })
    },
    // A deleted user cannot be read again, so only the lists are reloaded.
    onSettled: () =>
      queryClient.invalidateQueries({ queryKey: act === 'delete' ? [...all, 'list'] : all }),
  })
}

export function useChangeStatus() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, body }: { id: string; body: StatusChange }) =>
      call(changeUserStatus, { params: { id }, body }),
    onSettled: () => invalidateMoney(queryClient),
  })
}

export function useFundWallet() {
  const queryClient = useQueryClient()
  return useKeyedMutation({
    send: ({ id, body }: { id: string; body: Funding }, idempotencyKey) =>
      call(fundUserWallet, { params: { id }, body, idempotencyKey }),
    reload: () => invalidateMoney(queryClient),
  })
}

/** Requests a payout for an investor whose account is not active. */
export function usePayOut() {
  const queryClient = useQueryClient()
  return useKeyedMutation({
    send: ({ id, body }: { id: string; body: Payout }, idempotencyKey) =>
      call(payOutUser, { params: { id }, body, idempotencyKey }),
    reload: () => invalidateMoney(queryClient),
  })
}
