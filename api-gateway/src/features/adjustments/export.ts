import { type Adjustment, exportAdjustments } from '@cairn/gateway-contracts'
import { ALL_TRANSACTIONS } from '@cairn/ledger-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { type Columns, createCsvRoute } from '../../platform/http/list-export.ts'
import type { Route } from '../../platform/http/registry.ts'
import { toAdjustments } from './adjustment.ts'

const ADJUSTMENTS: Columns<Adjustment> = {
  Reference: ({ reference }) => reference,
  Date: ({ createdAt }) => createdAt,
  User: ({ user }) => user?.name ?? null,
  Email: ({ user }) => user?.email ?? null,
  Wallet: ({ wallet_type }) => wallet_type,
  Direction: ({ isCredit }) => (isCredit ? 'in' : 'out'),
  Amount: ({ amount }) => amount.toFixed(2),
  Status: ({ status }) => status,
  Reason: ({ reason }) => reason,
  'Proposed by': ({ proposedBy }) => proposedBy?.name ?? null,
  Decided: ({ decidedAt }) => decidedAt,
}

/** Exports all adjustments, newest first. */
export function createAdjustmentExportRoute(deps: Pick<Dependencies, 'db' | 'ledger'>): Route {
  return createCsvRoute({
    endpoint: exportAdjustments,
    fileName: 'adjustments.csv',
    audit: 'adjustment.export',
    columns: ADJUSTMENTS,
    readPage: async (_request, { limit, after }) => {
      const { transactions } = await deps.ledger.ask('transactions', {
        ...ALL_TRANSACTIONS,
        investorIds: null,
        purpose: 'adjustment',
        limit,
        after,
      })
      const isFull = transactions.length === limit
      const next = isFull ? (transactions.at(-1)?.transactionId ?? null) : null
      return { rows: await toAdjustments(deps, transactions), next }
    },
  })
}
