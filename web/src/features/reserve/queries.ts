import {
  fundReserve,
  getReserve,
  type Reserve,
  sweepToReserve,
  withdrawReserve,
} from '@cairn/gateway-contracts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { invalidateMoney } from '../../shared/api/invalidate-money.ts'
import { useKeyedMutation } from '../../shared/api/keyed-mutation.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'
import { toLedgerQuery } from '../../shared/url/ledger-of-url.ts'

export type { Reserve }

type Moved = {
  amount: string
  note: string
  /** The ledger that records the movement; null if the site has only one. */
  ledger: number | null
}
export type ReserveAct =
  | ({ act: 'fund' | 'withdraw' } & Moved)
  | ({ act: 'sweep'; from: 'fees' | 'income' } & Moved)

const all = getRootKey('reserve')

export const reserveQueries = {
  /** Reads the balances of one ledger; null for the sums over all ledgers. */
  readReserve: (ledger: number | null = null) =>
    queryOptions({
      queryKey: [...all, ledger],
      queryFn: ({ signal }) => call(getReserve, { query: toLedgerQuery(ledger) }, signal),
      select: ({ reserve }) => reserve,
    }),
}

export function useReserveAction() {
  const queryClient = useQueryClient()
  return useKeyedMutation({
    send: (wanted: ReserveAct, idempotencyKey) => {
      const { amount, note } = wanted
      const body = { amount, note, ...toLedgerQuery(wanted.ledger) }
      if (wanted.act === 'sweep') {
        return call(sweepToReserve, { body: { ...body, from: wanted.from }, idempotencyKey })
      }
      const endpoint = wanted.act === 'fund' ? fundReserve : withdrawReserve
      return call(endpoint, { body, idempotencyKey })
    },
    reload: () =>
      Promise.all([queryClient.invalidateQueries({ queryKey: all }), invalidateMoney(queryClient)]),
  })
}
