import {
  type Id,
  type LedgerInvestment,
  parseAmountFilter,
  type QueryRequest,
  type QueryResponse,
} from '@cairn/ledger-contracts'
import type { SelectQueryBuilder } from 'kysely'
import { type Investment, investmentTable } from '../../domain/investments/investment.ts'
import { checkRow } from '../../log/table.ts'
import {
  bindInstant,
  createAfterCondition,
  createPlaceCondition,
  findPageBorder,
  formatContainsPattern,
  formatInstant,
  formatInstantOrNull,
  formatPrefixPattern,
  getSortColumns,
  NO_ROW,
} from '../../service/database/filter.ts'
import { findTotals } from '../accounts/totals.ts'
import type { Database, LedgerSchema } from '../schema.ts'

type Filter = QueryRequest<'investments'> & { ledger: number }
/**
 * The stored statuses that each filter includes. The filter `denied` also lists cancelled
 * investments.
 */
const STATUSES: Record<NonNullable<Filter['status']>, readonly LedgerInvestment['status'][]> = {
  active: ['active'],
  completed: ['completed'],
  denied: ['denied', 'cancelled'],
}
type Selected<O> = SelectQueryBuilder<LedgerSchema, 'investment', O>

export async function listInvestments(
  db: Database,
  filter: Filter,
): Promise<QueryResponse<'investments'>> {
  const [rows, sums] = await Promise.all([
    selectPage(db, filter),
    isUnfiltered(filter) ? readTotals(db, filter) : computeTotals(db, filter),
  ])
  return { investments: rows.map(toInvestment), ...sums }
}

async function selectPage(db: Database, filter: Filter): Promise<readonly Investment[]> {
  const { column: requested, direction: order } = getSortColumns(filter.order, 'startedAt')
  const { anchorId, anchorMinor, place, direction, isReversed } = findPageBorder(filter, order)
  const column = requested === 'amountMinor' ? 'principalMinor' : requested
  let query = applyFilter(db.selectFrom('investment').selectAll(), filter)
    .orderBy(column, direction)
    .orderBy('seq', direction)
    .limit(filter.limit)
    .offset(filter.offset)
  if (place !== undefined) {
    const isTime = column === 'startedAt'
    query = query.where(createPlaceCondition(place, { column, isTime, direction }))
  }
  if (anchorId !== undefined) {
    const anchor = await db
      .selectFrom('investment')
      .select(['startedAt', 'principalMinor', 'seq'])
      .where('ledgerId', '=', filter.ledger)
      .where('investmentId', '=', anchorId)
      .executeTakeFirst()
    if (anchor === undefined) return []
    const first =
      column === 'startedAt'
        ? bindInstant(formatInstant(anchor.startedAt))
        : (anchorMinor ?? anchor.principalMinor)
    const row = [
      [column, first],
      ['seq', anchor.seq],
    ] as const
    query = query.where(createAfterCondition(row, direction))
  }
  const rows = await query.execute()
  return isReversed ? rows.reverse() : rows
}

type Totals = Omit<QueryResponse<'investments'>, 'investments'>

async function computeTotals(db: Database, filter: Filter): Promise<Totals> {
  const query = db
    .selectFrom('investment')
    .select(({ fn }) => [
      fn.countAll<bigint>().as('count'),
      fn.countAll<bigint>().filterWhere('status', '=', 'active').as('active'),
      fn.sum<string | null>('principalMinor').as('invested'),
      fn.sum<string | null>('creditedMinor').as('profit'),
    ])
  const { count, active, invested, profit } = await applyFilter(
    query,
    filter,
  ).executeTakeFirstOrThrow()
  return {
    total: Number(count),
    investedMinor: BigInt(invested ?? 0),
    profitMinor: BigInt(profit ?? 0),
    activeCount: Number(active),
  }
}

function isUnfiltered({ investorIds, from, to, q }: Filter): boolean {
  return investorIds === null && from === null && to === null && q === null
}

/** Returns the control totals per status, because summing the whole table would be slow. */
async function readTotals(db: Database, { ledger, status }: Filter): Promise<Totals> {
  const { totals } = await findTotals(db, ledger)
  const rows = totals.investments.filter(
    (row) => status === null || STATUSES[status].includes(row.status),
  )
  return {
    total: rows.reduce((sum, { count }) => sum + count, 0),
    investedMinor: rows.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
    profitMinor: rows.reduce((sum, { profitMinor }) => sum + profitMinor, 0n),
    activeCount: rows.reduce((sum, row) => sum + (row.status === 'active' ? row.count : 0), 0),
  }
}

export async function findInvestment(
  db: Database,
  { ledger, investmentId }: { ledger: number; investmentId: Id },
): Promise<QueryResponse<'investment'>> {
  const row = await db
    .selectFrom('investment')
    .selectAll()
    .where('ledgerId', '=', ledger)
    .where('investmentId', '=', investmentId)
    .executeTakeFirst()
  return { investment: row === undefined ? null : toInvestment(row) }
}

function applyFilter<O>(query: Selected<O>, filter: Filter): Selected<O> {
  let narrowed = query.where('ledgerId', '=', filter.ledger)
  if (filter.investorIds !== null) {
    if (filter.investorIds.length === 0) return narrowed.where(NO_ROW)
    narrowed = narrowed.where('investorId', 'in', filter.investorIds)
  }
  if (filter.status !== null) narrowed = narrowed.where('status', 'in', STATUSES[filter.status])
  if (filter.from !== null) narrowed = narrowed.where('startedAt', '>=', bindInstant(filter.from))
  if (filter.to !== null) narrowed = narrowed.where('startedAt', '<', bindInstant(filter.to))
  if (filter.q === null) return narrowed
  const { q, namedInvestorIds = [] } = filter
  return narrowed.where((eb) =>
    eb.or([
      eb('reference', 'like', formatPrefixPattern(q.toUpperCase())),
      eb('planName', 'ilike', formatContainsPattern(q)),
      ...(parseAmountFilter(q) === null ? [] : [eb('principalMinor', '=', parseAmountFilter(q))]),
      ...(namedInvestorIds.length === 0 ? [] : [eb('investorId', 'in', namedInvestorIds)]),
    ]),
  )
}

function toInvestment(row: Investment): LedgerInvestment {
  return {
    ...checkRow(investmentTable, row),
    startedAt: formatInstant(row.startedAt),
    expiresAt: formatInstant(row.expiresAt),
    bonusDueAt: formatInstantOrNull(row.bonusDueAt),
    nextDueAt: formatInstantOrNull(row.nextDueAt),
    endedAt: formatInstantOrNull(row.endedAt),
  }
}
