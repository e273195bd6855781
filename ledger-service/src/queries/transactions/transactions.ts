import {
  type Id,
  type LedgerTransaction,
  parseAmountFilter,
  type QueryRequest,
  type QueryResponse,
} from '@cairn/ledger-contracts'
import type { SelectQueryBuilder } from 'kysely'
import { type Transaction, transactionTable } from '../../domain/transactions/transaction.ts'
import { checkRow } from '../../log/table.ts'
import {
  bindInstant,
  createAfterCondition,
  createPlaceCondition,
  findPageBorder,
  formatInstant,
  formatInstantOrNull,
  formatPrefixPattern,
  getSortColumns,
  NO_ROW,
} from '../../service/database/filter.ts'
import { findTotals } from '../accounts/totals.ts'
import type { Database, LedgerSchema } from '../schema.ts'

type Filter = QueryRequest<'transactions'> & { ledger: number }
type Selected<O> = SelectQueryBuilder<LedgerSchema, 'transaction', O>

export async function listTransactions(
  db: Database,
  filter: Filter,
): Promise<QueryResponse<'transactions'>> {
  const [rows, { count, sumMinor }] = await Promise.all([
    selectPage(db, filter),
    isUnfiltered(filter) ? readTotals(db, filter) : computeTotals(db, filter),
  ])
  return { transactions: rows.map(toTransaction), total: Number(count), totalMinor: sumMinor }
}

async function selectPage(db: Database, filter: Filter): Promise<readonly Transaction[]> {
  const { column, direction: order } = getSortColumns(filter.order, 'createdAt')
  const { anchorId, anchorMinor, place, direction, isReversed } = findPageBorder(filter, order)
  let query = applyFilter(db.selectFrom('transaction').selectAll(), filter)
    .orderBy(column, direction)
    .orderBy('seq', direction)
    .orderBy('transactionId', direction)
    .limit(filter.limit)
    .offset(filter.offset)
  if (place !== undefined) {
    const isTime = column === 'createdAt'
    query = query.where(createPlaceCondition(place, { column, isTime, direction }))
  }
  if (anchorId !== undefined) {
    const anchor = await db
      .selectFrom('transaction')
      .select(['createdAt', 'amountMinor', 'seq', 'transactionId'])
      .where('ledgerId', '=', filter.ledger)
      .where('transactionId', '=', anchorId)
      .executeTakeFirst()
    if (anchor === undefined) return []
    const first =
      column === 'createdAt'
        ? bindInstant(formatInstant(anchor.createdAt))
        : (anchorMinor ?? anchor.amountMinor)
    const row = [
      [column, first],
      ['seq', anchor.seq],
      ['transactionId', anchor.transactionId],
    ] as const
    query = query.where(createAfterCondition(row, direction))
  }
  const rows = await query.execute()
  return isReversed ? rows.reverse() : rows
}

interface Totals {
  count: bigint
  sumMinor: bigint
}

async function computeTotals(db: Database, filter: Filter): Promise<Totals> {
  const query = db
    .selectFrom('transaction')
    .select(({ fn }) => [
      fn.countAll<bigint>().as('count'),
      fn.sum<string | null>('amountMinor').as('sum'),
    ])
  const { count, sum } = await applyFilter(query, filter).executeTakeFirstOrThrow()
  return { count, sumMinor: BigInt(sum ?? 0) }
}

function isUnfiltered({ investorIds, from, to, q, purpose }: Filter): boolean {
  const isAllTime = from === null && to === null
  return investorIds === null && isAllTime && q === null && purpose === undefined
}

/**
 * Returns the control totals per type and status, because summing the whole table would be slow.
 */
async function readTotals(db: Database, { ledger, type, status }: Filter): Promise<Totals> {
  const { totals } = await findTotals(db, ledger)
  const statuses = listStatuses(status)
  const rows = totals.transactions.filter(
    (row) => (type === null || row.type === type) && (statuses?.includes(row.status) ?? true),
  )
  return {
    count: rows.reduce((sum, row) => sum + BigInt(row.count), 0n),
    sumMinor: rows.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
  }
}

export async function findTransaction(
  db: Database,
  { ledger, transactionId }: { ledger: number; transactionId: Id },
): Promise<QueryResponse<'transaction'>> {
  const row = await db
    .selectFrom('transaction')
    .selectAll()
    .where('ledgerId', '=', ledger)
    .where('transactionId', '=', transactionId)
    .executeTakeFirst()
  return { transaction: row === undefined ? null : toTransaction(row) }
}

function applyFilter<O>(query: Selected<O>, filter: Filter): Selected<O> {
  let narrowed = query.where('ledgerId', '=', filter.ledger)
  if (filter.investorIds !== null) {
    if (filter.investorIds.length === 0) return narrowed.where(NO_ROW)
    narrowed = narrowed.where('investorId', 'in', filter.investorIds)
  }
  if (filter.type !== null) narrowed = narrowed.where('type', '=', filter.type)
  const statuses = listStatuses(filter.status)
  if (statuses !== null) narrowed = narrowed.where('status', 'in', statuses)
  if (filter.from !== null) narrowed = narrowed.where('createdAt', '>=', bindInstant(filter.from))
  if (filter.to !== null) narrowed = narrowed.where('createdAt', '<', bindInstant(filter.to))
  if (filter.purpose !== undefined) narrowed = narrowed.where('purpose', '=', filter.purpose)
  if (filter.q === null) return narrowed
  const { q, namedInvestorIds = [] } = filter
  return narrowed.where((eb) =>
    eb.or([
      eb('reference', 'like', formatPrefixPattern(q.toUpperCase())),
      ...(parseAmountFilter(q) === null ? [] : [eb('amountMinor', '=', parseAmountFilter(q))]),
      ...(namedInvestorIds.length === 0 ? [] : [eb('investorId', 'in', namedInvestorIds)]),
    ]),
  )
}

/** Returns the statuses that the filter includes; null if it includes all statuses. */
function listStatuses(status: Filter['status']): readonly LedgerTransaction['status'][] | null {
  if (status === null) return null
  return status === 'declined' ? ['declined', 'cancelled'] : [status]
}

function toTransaction(row: Transaction): LedgerTransaction {
  return {
    ...checkRow(transactionTable, row),
    netMinor: row.amountMinor - row.feeMinor,
    createdAt: formatInstant(row.createdAt),
    decidedAt: formatInstantOrNull(row.decidedAt),
  }
}
