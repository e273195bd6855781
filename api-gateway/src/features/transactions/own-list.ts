import { type Transaction, toAmount, WalletName } from '@cairn/gateway-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { toWalletName } from '../../platform/ledger-client/wallet-name.ts'
import { listPage, type OwnFilter } from './list.ts'
import { toTransaction } from './transaction.ts'

/**
 * Returns a page of one investor's transactions, each with the wallet's balance after the
 * transaction, and the place after which the next page of an export begins.
 */
export async function listOwnPage(
  deps: Pick<Dependencies, 'db' | 'ledger'>,
  filter: OwnFilter,
  ownerId: string,
) {
  const { transactions: found, meta, next } = await listPage(deps, filter, { ownerId })
  const settled = found.filter(({ status }) => status === 'success')
  const transactionIds = settled.map(({ transactionId }) => transactionId)
  const { balances } = await deps.ledger.ask('balancesAfter', {
    investorIds: [ownerId],
    transactionIds,
  })
  const byId = new Map(
    balances.map(({ transactionId, wallet, balanceMinor }) => [
      transactionId,
      { wallet: WalletName.parse(toWalletName(wallet)), amount: toAmount(balanceMinor) },
    ]),
  )
  const transactions = found.map((item): Transaction => {
    return { ...toTransaction(item), balanceAfter: byId.get(item.transactionId) ?? null }
  })
  return { transactions, meta, next }
}
