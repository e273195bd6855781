import { addMyBank, listMyBanks, removeMyBank } from '@cairn/gateway-contracts'
import type { Dependencies } from '../dependencies.ts'
import { HttpFailure } from '../http/failure.ts'
import { callerOf, type Route, route } from '../http/registry.ts'
import { addBankAccount, archiveBankAccount, listBankAccounts } from './bank-account.ts'

export function bankRoutes(deps: Dependencies): readonly Route[] {
  return [
    route(listMyBanks, { rate: 'read', owner: 'own', audit: null }, async (_request, exchange) => ({
      accounts: [...(await listBankAccounts(deps.db, callerOf(exchange).userId))],
    })),
    route(
      addMyBank,
      { rate: 'write', owner: 'own', audit: 'bank-account.add' },
      async ({ body }, exchange) => {
        const { userId } = callerOf(exchange)
        const { nowMs, note } = exchange
        const account = await addBankAccount(deps.db, { ...body, userId, nowMs })
        note({ subject: account.id })
        return { account, accounts: [...(await listBankAccounts(deps.db, userId))] }
      },
    ),
    route(
      removeMyBank,
      { rate: 'write', owner: 'own', audit: 'bank-account.remove' },
      async ({ params }, exchange) => {
        const { userId } = callerOf(exchange)
        await requireUnused(deps, { userId, id: params.id })
        await archiveBankAccount(deps.db, { userId, id: params.id, nowMs: exchange.nowMs })
        exchange.note({ subject: params.id })
        return null
      },
    ),
  ]
}

async function requireUnused(
  deps: Dependencies,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  const { transactions } = await deps.ledger.ask('transactions', {
    investorIds: [userId],
    from: null,
    to: null,
    order: 'newest',
    limit: 1_000,
    offset: 0,
    type: 'withdrawal',
    status: 'pending',
    q: null,
  })
  if (!transactions.some(({ bankAccountId }) => bankAccountId === id)) return
  const message = 'A pending withdrawal goes to this bank account'
  throw new HttpFailure(409, 'BANK_ACCOUNT_IN_USE', message)
}
