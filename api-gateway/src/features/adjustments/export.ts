import {
  type Adjustment,
  exportAdjustments,
  exportApprovals,
  type listApprovals,
  type ParsedRequestOf,
  type ResponseOf,
} from '@cairn/gateway-contracts'
import type { QueryRequest } from '@cairn/ledger-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { type Columns, createCsvRoute, toSinglePage } from '../../platform/http/list-export.ts'
import type { Exchange, Route } from '../../platform/http/registry.ts'
import { toAdjustments } from './adjustment.ts'

type Approvals = ResponseOf<typeof listApprovals>
type ReadApprovals = (
  request: ParsedRequestOf<typeof listApprovals>,
  exchange: Exchange,
) => Promise<Approvals>

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

/** Exports all adjustments, newest first, without a limit. */
export function createAdjustmentExportRoute(
  deps: Pick<Dependencies, 'db' | 'ledger'>,
  everything: Omit<QueryRequest<'transactions'>, 'after'>,
): Route {
  return createCsvRoute({
    endpoint: exportAdjustments,
    fileName: 'adjustments.csv',
    audit: 'adjustment.export',
    columns: ADJUSTMENTS,
    readPage: async (_request, { limit, after }) => {
      const { transactions } = await deps.ledger.ask('transactions', {
        ...everything,
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

interface Waiting {
  kind: string
  reference: string
  user: { name: string; email: string } | undefined
  amount: number
  since: string
  by: string | null
}

const APPROVALS: Columns<Waiting> = {
  Kind: ({ kind }) => kind,
  Reference: ({ reference }) => reference,
  Requested: ({ since }) => since,
  User: ({ user }) => user?.name ?? null,
  Email: ({ user }) => user?.email ?? null,
  Amount: ({ amount }) => amount.toFixed(2),
  'First approval or proposal by': ({ by }) => by,
}

export function createApprovalExportRoute(read: ReadApprovals): Route {
  return createCsvRoute({
    endpoint: exportApprovals,
    fileName: 'approvals.csv',
    audit: 'approval.export',
    columns: APPROVALS,
    readPage: async (request, _place, exchange) =>
      toSinglePage(toWaiting(await read(request, exchange))),
  })
}

function toWaiting({ transactions, adjustments }: Approvals): Waiting[] {
  return [
    ...transactions.map(({ transaction, firstApprovedBy }) => ({
      kind: transaction.type,
      reference: transaction.reference,
      user: transaction.user,
      amount: transaction.amount,
      since: transaction.createdAt,
      by: firstApprovedBy?.name ?? null,
    })),
    ...adjustments.map(({ adjustment }) => ({
      kind: 'adjustment',
      reference: adjustment.reference,
      user: adjustment.user,
      amount: adjustment.isCredit ? adjustment.amount : -adjustment.amount,
      since: adjustment.createdAt,
      by: adjustment.proposedBy?.name ?? null,
    })),
  ]
}
