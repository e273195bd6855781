import {
  addSiteLedger,
  editSiteLedger,
  listSiteLedgers,
  type SiteLedger,
} from '@cairn/gateway-contracts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'

export type { SiteLedger }
export type Rules = NonNullable<SiteLedger['rules']>
export type NewLedger = { number: string; name: string; reason?: string }

const ROOT = getRootKey('ledgers')
const REFRESH_MS = 10_000

export const ledgerQueries = {
  listLedgers: () =>
    queryOptions({
      queryKey: ROOT,
      queryFn: ({ signal }) => call(listSiteLedgers, {}, signal),
      select: ({ ledgers }) => ledgers,
      refetchInterval: REFRESH_MS,
    }),
}

export function useAddLedger() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: NewLedger) => call(addSiteLedger, { body }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ROOT }),
  })
}

export function useOpenLedger(number: number) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: { isOpen: boolean; reason?: string }) =>
      call(editSiteLedger, { params: { number }, body }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ROOT }),
  })
}
