import {
  cancelMyInvestment,
  denyInvestment,
  getInvestment,
  type Investment,
  type InvestmentProgress,
  listInvestments,
  listMyInvestments,
  openMyInvestment,
  type Plan,
  type RequestOf,
  refreshMyInvestments,
} from '@cairn/gateway-contracts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { invalidateMoney } from '../../shared/api/invalidate-money.ts'
import { useKeyedMutation } from '../../shared/api/keyed-mutation.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'

export type { Investment, InvestmentProgress }
export type InvestmentQuery = NonNullable<RequestOf<typeof listMyInvestments>['query']>

const all = getRootKey('investments')
const REFRESH_STALE_MS = 30_000

export const investmentQueries = {
  all,
  listOwnInvestments: (query: InvestmentQuery) =>
    queryOptions({
      queryKey: [...all, 'mine', query],
      queryFn: ({ signal }) => call(listMyInvestments, { query }, signal),
      placeholderData: keepPreviousData,
    }),
  listAllInvestments: (query: NonNullable<RequestOf<typeof listInvestments>['query']>) =>
    queryOptions({
      queryKey: [...all, 'ofAllUsers', query],
      queryFn: ({ signal }) => call(listInvestments, { query }, signal),
      placeholderData: keepPreviousData,
    }),
  readInvestment: (id: string) =>
    queryOptions({
      queryKey: [...all, 'detail', id],
      queryFn: ({ signal }) => call(getInvestment, { params: { id } }, signal),
    }),
  /** Credits the due profit and returns the running investments. The request is idempotent. */
  refreshOwnInvestments: () =>
    queryOptions({
      queryKey: [...all, 'refreshed'],
      queryFn: ({ signal }) => call(refreshMyInvestments, {}, signal),
      staleTime: REFRESH_STALE_MS,
    }),
}

type Opening = { plan: Plan; amount: string; riskVersion: string | null }

export function useOpenInvestment() {
  const queryClient = useQueryClient()
  return useKeyedMutation({
    // The versions are not described, because they change without the user. If the answer is lost
    // and a version has changed since, the next attempt sends the versions of the first one: the
    // server answers with the recorded investment, or refuses if it recorded none.
    describeContent: ({ plan, amount }: Opening) => JSON.stringify([plan.id, amount]),
    send: ({ plan, amount, riskVersion }, idempotencyKey) =>
      call(openMyInvestment, {
        body: {
          plan: plan.id,
          amount,
          planVersion: plan.version,
          ...(riskVersion && { riskVersion }),
        },
        idempotencyKey,
      }),
    // Reloads the plans and the settings too, because the terms or the risk warning may have
    // changed since the page loaded.
    reload: () =>
      Promise.all([
        invalidateMoney(queryClient),
        queryClient.invalidateQueries({ queryKey: getRootKey('plans') }),
        queryClient.invalidateQueries({ queryKey: [...getRootKey('settings'), 'public'] }),
      ]),
  })
}

export function useCancelInvestment() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(cancelMyInvestment, { params: { id } }),
    onSettled: () => invalidateMoney(queryClient),
  })
}

export function useDenyInvestment(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (reason: string) =>
      call(denyInvestment, { params: { id }, body: { status: 'denied', reason } }),
    onSettled: () => invalidateMoney(queryClient),
  })
}
