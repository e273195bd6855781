import {
  exportMyTransactions,
  exportTransactions,
  type Transaction,
} from '@cairn/gateway-contracts'
import type { Dependencies } from '../dependencies.ts'
import { type Columns, listExportRoutes } from '../http/list-export.ts'
import type { Route } from '../http/registry.ts'
import { listPage } from './list.ts'
import { toAdminTransactions, toTransaction } from './transaction.ts'

const COLUMNS: Columns<Transaction> = {
  Reference: ({ reference }) => reference,
  Date: ({ createdAt }) => createdAt,
  Type: ({ type }) => type,
  Purpose: ({ purpose }) => purpose,
  Direction: ({ isCredit }) => (isCredit ? 'in' : 'out'),
  Status: ({ status }) => status,
  Amount: ({ amount }) => amount.toFixed(2),
  Fee: ({ fee }) => fee.toFixed(2),
  Net: ({ net }) => net.toFixed(2),
  Method: ({ method }) => method,
  Decided: ({ decidedAt }) => decidedAt,
  Reason: ({ declineReason }) => declineReason,
  'Payout reference': ({ payoutReference }) => payoutReference,
}
const ADMIN_COLUMNS: Columns<Transaction> = {
  ...COLUMNS,
  User: ({ user }) => user?.name ?? 'System',
  Email: ({ user }) => user?.email ?? null,
  Bank: ({ bankAccount }) => bankAccount?.bankName ?? null,
  'Account number': ({ bankAccount }) => bankAccount?.accountNumber ?? null,
}

export function transactionExportRoutes(deps: Dependencies): readonly Route[] {
  return listExportRoutes({
    fileName: 'transactions.csv',
    all: { endpoint: exportTransactions, columns: ADMIN_COLUMNS, audit: 'transaction.export' },
    own: { endpoint: exportMyTransactions, columns: COLUMNS },
    readPage: async ({ query }, place, ownerId) => {
      const { transactions, meta } = await listPage(deps, { ...query, ...place }, ownerId)
      const rows =
        ownerId === null
          ? await toAdminTransactions(deps, transactions)
          : transactions.map(toTransaction)
      return { rows, next: meta.next }
    },
  })
}
