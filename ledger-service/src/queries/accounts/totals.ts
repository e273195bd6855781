import {
  LedgerInvestment,
  type OperatorTotals,
  type QueryResponse,
  TransactionStatus,
  TransactionType,
} from '@cairn/ledger-contracts'
import type { Database } from '../schema.ts'

/** Returns the operator's totals, read from the control totals. */
export async function findTotals(db: Database, ledger: number): Promise<QueryResponse<'totals'>> {
  const rows = await db
    .selectFrom('controlTotal')
    .selectAll()
    .where('ledgerId', '=', ledger)
    .orderBy('name')
    .execute()
  const totals: OperatorTotals = {
    byKind: {},
    transactions: [],
    investments: [],
    activeInvestors: 0,
  }
  for (const { name, count, amountMinor, profitMinor } of rows) {
    const [group = '', ...rest] = name.split(':')
    if (group === 'account') totals.byKind[rest.join(':')] = amountMinor
    if (group === 'transaction') {
      const [type, status] = rest
      totals.transactions.push({
        type: TransactionType.parse(type),
        status: TransactionStatus.parse(status),
        count: Number(count),
        amountMinor,
      })
    }
    if (group === 'investment') {
      const status = LedgerInvestment.shape.status.parse(rest[0])
      totals.investments.push({ status, count: Number(count), amountMinor, profitMinor })
    }
    if (name === 'investor:active') totals.activeInvestors = Number(count)
  }
  return { totals }
}
