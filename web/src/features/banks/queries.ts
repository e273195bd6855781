import {
  addMyBank,
  type BankAccount,
  confirmMyBank,
  listMyBanks,
  makeDefaultBank,
  type RequestOf,
  removeMyBank,
  resendBankCode,
} from '@cairn/gateway-contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'
import { keepVisitMessage } from '../../shared/ui/visit-messages.ts'

export type { BankAccount }

const all = getRootKey('banks')

export const bankQueries = {
  all,
  listOwnAccounts: () =>
    queryOptions({
      queryKey: [...all, 'mine'],
      queryFn: ({ signal }) => call(listMyBanks, {}, signal),
      select: ({ accounts }) => accounts,
    }),
}

export function useAddBank() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: RequestOf<typeof addMyBank>['body']) => call(addMyBank, { body }),
    onSuccess: () => {
      keepVisitMessage('Bank account added.')
      return queryClient.invalidateQueries({ queryKey: all })
    },
  })
}

export function useRemoveBank() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(removeMyBank, { params: { id } }),
    onSuccess: () => {
      keepVisitMessage('Bank account removed.')
      return queryClient.invalidateQueries({ queryKey: all })
    },
  })
}

export function useMakeDefaultBank() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(makeDefaultBank, { params: { id } }),
    onSuccess: () => {
      keepVisitMessage('Default bank account changed.')
      return queryClient.invalidateQueries({ queryKey: all })
    },
  })
}

export function useConfirmBank() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, code }: { id: string; code: string }) =>
      call(confirmMyBank, { params: { id }, body: { code } }),
    onSuccess: () => {
      keepVisitMessage('Bank account confirmed.')
      return queryClient.invalidateQueries({ queryKey: all })
    },
  })
}

export function useResendBankCode(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(resendBankCode, { params: { id } }),
    onSuccess: async ({ retryAfter }) => {
      // Without a wait, no code was sent, because the account was confirmed in another tab.
      if (retryAfter === 0) await queryClient.invalidateQueries({ queryKey: all })
    },
  })
}
