import {
  exportMyTransactions,
  exportTransactions,
  type ParsedRequestOf,
  type Transaction,
} from '@cairn/gateway-contracts'
import type { Dependencies } from '../dependencies.ts'
import { type CsvValue, csvAnswer } from '../http/csv.ts'
import { callerOf, fileRoute, type Route } from '../http/registry.ts'
import { listPage } from './list.ts'
import { toAdminTransactions, toTransaction } from './transaction.ts'

const ROWS_PER_READ = 1_000

type Columns = Readonly<Record<string, (row: Transaction) => CsvValue>>
type Filter = ParsedRequestOf<typeof exportTransactions>['query']

const COLUMNS: Columns = {
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
const ADMIN_COLUMNS: Columns = {
  ...COLUMNS,
  User: ({ user }) => user?.name ?? 'System',
  Email: ({ user }) => user?.email ?? null,
  Bank: ({ bankAccount }) => bankAccount?.bankName ?? null,
  'Account number': ({ bankAccount }) => bankAccount?.accountNumber ?? null,
}

export function transactionExportRoutes(deps: Dependencies): readonly Route[] {
  const fileName = 'transactions.csv'
  return [
    fileRoute(
      exportTransactions,
      { rate: 'read', owner: 'any', audit: 'transaction.export' },
      async ({ query }, exchange) => {
        exchange.note({ ...query })
        return csvAnswer({ fileName, columns: ADMIN_COLUMNS, rows: read(deps, query, null) })
      },
    ),
    fileRoute(
      exportMyTransactions,
      { rate: 'read', owner: 'own', audit: null },
      async ({ query }, exchange) => {
        const rows = read(deps, query, callerOf(exchange).userId)
        return csvAnswer({ fileName, columns: COLUMNS, rows })
      },
    ),
  ]
}

/** All rows of the filter, a page at a time, each page behind the last row of the one before. */
async function* read(
  deps: Dependencies,
  filter: Filter,
  ownerId: string | null,
): AsyncGenerator<Transaction> {
  let after: string | undefined
  do {
    const page = { ...filter, page: 1, limit: ROWS_PER_READ, after }
    const { transactions, meta } = await listPage(deps, page, ownerId)
    yield* ownerId === null
      ? await toAdminTransactions(deps, transactions)
      : transactions.map(toTransaction)
    after = meta.next ?? undefined
  } while (after !== undefined)
}
