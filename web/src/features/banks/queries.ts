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
    onSuccess: () => queryClient.invalidateQueries({ queryKey: all }),
  })
}

export function useRemoveBank() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(removeMyBank, { params: { id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: all }),
  })
}

export function useMakeDefaultBank() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(makeDefaultBank, { params: { id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: all }),
  })
}

export function useConfirmBank() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, code }: { id: string; code: string }) =>
      call(confirmMyBank, { params: { id }, body: { code } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: all }),
  })
}

export function useResendBankCode() {
  return useMutation({ mutationFn: (id: string) => call(resendBankCode, { params: { id } }) })
}
