import type { listTransactions } from '@cairn/gateway-contracts'
import {
  type ParsedRequestOf,
  type Sort,
  type TransactionMeta,
  toAmount,
} from '@cairn/gateway-contracts'
import {
  ALL_TRANSACTIONS,
  type LedgerTransaction,
  type OperatorTotals,
  parseAmountFilter,
  type QueryRequest,
} from '@cairn/ledger-contracts'
import type { z } from 'zod'
import type { Dependencies } from '../../platform/dependencies.ts'
import { formatCursor, parseCursor, toMeta, toOffset } from '../../platform/http/pages.ts'
import { findInvestor } from '../../platform/ledger-client/investors.ts'
import { type Searcher, searchUserIds } from '../users/index.ts'

export type OwnFilter = Omit<ParsedRequestOf<typeof listTransactions>['query'], 'user'>
type Filter = ParsedRequestOf<typeof listTransactions>['query']

export const LEDGER_ORDER: Record<Sort, QueryRequest<'transactions'>['order']> = {
  '-createdAt': 'newest',
  createdAt: 'oldest',
  '-amount': 'largest',
  amount: 'smallest',
}

export interface TransactionPage {
  transactions: readonly LedgerTransaction[]
  meta: z.infer<typeof TransactionMeta>
  /** The cursor at which an export continues; null on the last page. */
  next: string | null
}

/** The investor who reads the own list, or an administrator, who reads the list of all investors. */
export type ListReader = { ownerId: string } | Searcher

/**
 * Returns a page of the transactions of one investor, or of all investors. The page begins after the
 * row with the id `filter.after`, or at a cursor that this function returned.
 */
export async function listPage(
  deps: Pick<Dependencies, 'db' | 'ledger'>,
  filter: Filter,
  reader: ListReader,
): Promise<TransactionPage> {
  const search = await resolveSearch(deps, filter, reader)
  const cursor = filter.after === undefined ? undefined : parseCursor(filter.after)
  const [found, counts] = await Promise.all([
    deps.ledger.ask('transactions', {
      ...search,
      from: filter.from ?? null,
      to: filter.to ?? null,
      order: LEDGER_ORDER[filter.sort],
      limit: filter.limit,
      offset: toOffset(filter),
      after: cursor?.id,
      afterAmountMinor: cursor?.amount ?? undefined,
      before: filter.before,
      type: filter.type ?? null,
      status: filter.status ?? null,
    }),
    'ownerId' in reader ? countOwnTransactions(deps, reader.ownerId) : countAllTransactions(deps),
  ])
  const totals = { amount: toAmount(found.totalMinor), ...counts }
  const { transactions, total } = found
  const last = transactions.at(-1)
  const lastId = last?.transactionId
  const meta = toMeta(filter, { total, rows: transactions.length, lastId })
  const isLastPage = last === undefined || meta.next === null
  const amount = last !== undefined && filter.sort.endsWith('amount') ? last.amountMinor : null
  const next = isLastPage ? null : formatCursor({ id: last.transactionId, amount })
  return { transactions, meta: { ...meta, totals }, next }
}

type Search = Pick<QueryRequest<'transactions'>, 'investorIds' | 'q' | 'namedInvestorIds'>

/**
 * Adds the ids of the people whom the text names, because the ledger does not know names. The text of
 * an amount is not searched for in names, because its digits occur in many addresses.
 */
export async function resolveSearch(
  deps: Pick<Dependencies, 'db'>,
  { q, user }: { q?: string | undefined; user?: string | undefined },
  reader: ListReader,
): Promise<Search> {
  const text = q === undefined || q === '' ? null : q
  if ('ownerId' in reader) return { investorIds: [reader.ownerId], q: text }
  if (user !== undefined) return { investorIds: [user], q: text }
  const found = { investorIds: null, q: text }
  if (text === null || parseAmountFilter(text) !== null) return found
  const userIds = await searchUserIds(deps.db, text, reader)
  return userIds.length === 0 ? found : { ...found, namedInvestorIds: [...userIds] }
}

type Counts = Omit<z.infer<typeof TransactionMeta>['totals'], 'amount'>

/**
 * Counts all transactions. The counts come from the control totals of the ledger, so that no query
 * has to sum transactions.
 */
async function countAllTransactions(deps: Pick<Dependencies, 'ledger'>): Promise<Counts> {
  const { totals } = await deps.ledger.ask('totals', {})
  const rows = totals.transactions
  return {
    transactions: rows.reduce((sum, { count }) => sum + count, 0),
    deposits: toAmount(sumSuccessful(rows, 'deposit')),
    withdrawals: toAmount(sumSuccessful(rows, 'withdrawal')),
    pending: rows.reduce((sum, row) => sum + (row.status === 'pending' ? row.count : 0), 0),
  }
}

async function countOwnTransactions(
  deps: Pick<Dependencies, 'ledger'>,
  ownerId: string,
): Promise<Counts> {
  const own = { ...ALL_TRANSACTIONS, investorIds: [ownerId], limit: 1 }
  const [investor, all, pending] = await Promise.all([
    findInvestor(deps.ledger, ownerId),
    deps.ledger.ask('transactions', own),
    deps.ledger.ask('transactions', { ...own, status: 'pending' }),
  ])
  const totals = investor?.totals
  return {
    transactions: all.total,
    deposits: toAmount(totals?.depositedMinor ?? 0n),
    withdrawals: toAmount(totals?.withdrawnMinor ?? 0n),
    pending: pending.total,
  }
}

function sumSuccessful(
  rows: OperatorTotals['transactions'],
  type: 'deposit' | 'withdrawal',
): bigint {
  const row = rows.find((item) => item.type === type && item.status === 'success')
  return row?.amountMinor ?? 0n
}
