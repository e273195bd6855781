import {
  approveTransaction,
  cancelMyTransaction,
  declineTransaction,
  getReceipt,
  getTransactionDetail,
  getTransactionProof,
  listMyInvestments,
  listMyTransactions,
  listRecentTransactions,
  listReviewTimes,
  listTransactions,
  type RequestOf,
  type Transaction,
} from '@cairn/gateway-contracts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { invalidateMoney } from '../../shared/api/invalidate-money.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'
import type { PlanNames } from './transaction-labels.ts'

export type { Transaction }
export type TransactionQuery = NonNullable<RequestOf<typeof listTransactions>['query']>

const all = getRootKey('transactions')
/** The number of investments, the newest, of which a list of transactions names the plans. */
const NAMED_INVESTMENTS_MAX = 200

export const transactionQueries = {
  all,
  listRecentTransactions: () =>
    queryOptions({
      queryKey: [...all, 'recent'],
      queryFn: ({ signal }) => call(listRecentTransactions, {}, signal),
      select: ({ transactions }) => transactions,
    }),
  listOwnTransactions: (query: TransactionQuery) =>
    queryOptions({
      queryKey: [...all, 'mine', query],
      queryFn: ({ signal }) => call(listMyTransactions, { query }, signal),
      placeholderData: keepPreviousData,
    }),
  listAllTransactions: (query: TransactionQuery) =>
    queryOptions({
      queryKey: [...all, 'ofAllUsers', query],
      queryFn: ({ signal }) => call(listTransactions, { query }, signal),
      placeholderData: keepPreviousData,
    }),
  /** The names of the caller's plans by the id of the investment. */
  listPlanNames: () =>
    queryOptions({
      queryKey: [...getRootKey('investments'), 'planNames'],
      queryFn: ({ signal }) =>
        call(listMyInvestments, { query: { limit: NAMED_INVESTMENTS_MAX } }, signal),
      select: ({ investments }): PlanNames =>
        new Map(investments.map(({ id, plan }) => [id, plan.name])),
    }),
  readTransaction: (id: string) =>
    queryOptions({
      queryKey: [...all, 'detail', id],
      queryFn: ({ signal }) => call(getTransactionDetail, { params: { id } }, signal),
    }),
  /** Reads the payment proof only to learn why it cannot be shown. */
  checkReceipt: (id: string) => ({
    queryKey: [...all, 'receipt', id] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) => call(getReceipt, { params: { id } }, signal),
  }),
  readReviewTimes: () =>
    queryOptions({
      queryKey: getRootKey('reviewTimes'),
      queryFn: ({ signal }) => call(listReviewTimes, {}, signal),
      staleTime: 60_000,
    }),
  readProof: (id: string) =>
    queryOptions({
      queryKey: [...all, 'proof', id],
      queryFn: ({ signal }) => call(getTransactionProof, { params: { id } }, signal),
    }),
}

export function useCancelTransaction() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(cancelMyTransaction, { params: { id } }),
    onSettled: () => invalidateMoney(queryClient),
  })
}

export function useApproveTransaction() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string } & RequestOf<typeof approveTransaction>['body']) =>
      call(approveTransaction, { params: { id }, body }),
    onSettled: () => invalidateMoney(queryClient),
  })
}

export function useDeclineTransaction() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string } & RequestOf<typeof declineTransaction>['body']) =>
      call(declineTransaction, { params: { id }, body }),
    onSettled: () => invalidateMoney(queryClient),
  })
}
