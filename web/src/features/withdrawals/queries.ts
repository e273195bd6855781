import {
  createMyTransaction,
  listMyWithdrawalLimits,
  type WalletName,
  type WithdrawalLimit,
} from '@cairn/gateway-contracts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { invalidateMoney } from '../../shared/api/invalidate-money.ts'
import { useKeyedMutation } from '../../shared/api/keyed-mutation.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'

export type { WithdrawalLimit }

export const withdrawalQueries = {
  // The key begins with `stats`, because each movement of money changes the remaining limit.
  readLimits: () =>
    queryOptions({
      queryKey: [...getRootKey('stats'), 'withdrawal-limits'],
      queryFn: ({ signal }) => call(listMyWithdrawalLimits, {}, signal),
      select: ({ limits }) => limits,
    }),
}

type Withdrawal = { amount: string; source: WalletName; bankId: string }

export function useWithdraw() {
  const queryClient = useQueryClient()
  return useKeyedMutation({
    send: ({ amount, source, bankId }: Withdrawal, idempotencyKey) =>
      call(createMyTransaction, {
        body: { type: 'withdrawal', amount, pay_option: source, bank_id: bankId },
        idempotencyKey,
      }),
    reload: () => invalidateMoney(queryClient),
  })
}
