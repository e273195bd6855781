import {
  exportMyTransactions,
  exportTransactions,
  type Transaction,
} from '@cairn/gateway-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { type Columns, createCsvRoute } from '../../platform/http/list-export.ts'
import { getCaller, type Route } from '../../platform/http/registry.ts'
import { listPage } from './list.ts'
import { listOwnPage } from './own-list.ts'
import { toAdminTransactions } from './transaction.ts'

const COLUMNS: Columns<Transaction> = {
  Reference: ({ reference }) => reference,
  Date: ({ createdAt }) => createdAt,
  Type: ({ type }) => type,
  Purpose: ({ purpose }) => purpose,
  Direction: ({ isCredit }) => (isCredit ? 'in' : 'out'),
  Status: ({ status, cancelledBy }) => (cancelledBy === null ? status : 'cancelled'),
  Amount: ({ amount }) => amount.toFixed(2),
  Fee: ({ fee }) => fee.toFixed(2),
  Net: ({ net }) => net.toFixed(2),
  Method: ({ method }) => method,
  Decided: ({ decidedAt }) => decidedAt,
  Reason: ({ declineReason }) => declineReason,
  'Payout reference': ({ payoutReference }) => payoutReference,
}
const OWN_COLUMNS: Columns<Transaction> = {
  ...COLUMNS,
  Wallet: ({ balanceAfter }) => balanceAfter?.wallet ?? null,
  'Balance after': ({ balanceAfter }) => balanceAfter?.amount.toFixed(2) ?? null,
}
const ADMIN_COLUMNS: Columns<Transaction> = {
  ...COLUMNS,
  User: ({ user }) => user?.name ?? 'System',
  Email: ({ user }) => user?.email ?? null,
  Bank: ({ bankAccount }) => bankAccount?.bankName ?? null,
  'Account number': ({ bankAccount }) => bankAccount?.accountNumber ?? null,
}

export function createTransactionExportRoutes(
  deps: Pick<Dependencies, 'clock' | 'db' | 'ledger'>,
): readonly Route[] {
  const fileName = 'transactions.csv'
  return [
    createCsvRoute({
      endpoint: exportTransactions,
      fileName,
      audit: 'transaction.export',
      columns: ADMIN_COLUMNS,
      readPage: async ({ query }, place, exchange) => {
        const filter = { ...query, ...place }
        const { transactions, next } = await listPage(deps, filter, getCaller(exchange))
        return { rows: await toAdminTransactions(deps, transactions), next }
      },
    }),
    createCsvRoute({
      endpoint: exportMyTransactions,
      fileName,
      audit: null,
      columns: OWN_COLUMNS,
      readPage: async ({ query }, place, exchange) => {
        const { userId } = getCaller(exchange)
        const { transactions, next } = await listOwnPage(deps, { ...query, ...place }, userId)
        return { rows: transactions, next }
      },
    }),
  ]
}
