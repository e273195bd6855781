import {
  type Id,
  LedgerInvestment,
  type QueryRequest,
  type QueryResponse,
} from '@cairn/ledger-contracts'
import type { SelectQueryBuilder } from 'kysely'
import { unitsElapsed } from '../accruals/accrual.ts'
import {
  amountAsked,
  atInstant,
  instant,
  instantOrNull,
  likeAnywhere,
  likePrefix,
  orderOf,
} from '../database/filter.ts'
import type { Database, LedgerSchema } from '../schema.ts'
import { type Investment, unitOf } from './investment.ts'

type Filter = QueryRequest<'investments'> & { ledger: number }
type Selected<O> = SelectQueryBuilder<LedgerSchema, 'investment', O>

export async function listInvestments(
  db: Database,
  filter: Filter,
): Promise<QueryResponse<'investments'>> {
  const { column, direction } = orderOf(filter.order, 'startedAt')
  const sorted = column === 'amountMinor' ? 'principalMinor' : column
  const [rows, totals] = await Promise.all([
    filtered(db.selectFrom('investment').selectAll(), filter)
      .orderBy(sorted, direction)
      .orderBy('seq', direction)
      .limit(filter.limit)
      .offset(filter.offset)
      .execute(),
    filtered(
      db
        .selectFrom('investment')
        .select(({ fn }) => [
          fn.countAll<bigint>().as('count'),
          fn.countAll<bigint>().filterWhere('status', '=', 'active').as('active'),
          fn.sum<string | null>('principalMinor').as('invested'),
          fn.sum<string | null>('creditedMinor').as('profit'),
        ]),
      filter,
    ).executeTakeFirstOrThrow(),
  ])
  return {
    investments: rows.map(toInvestment),
    total: Number(totals.count),
    investedMinor: BigInt(totals.invested ?? 0),
    profitMinor: BigInt(totals.profit ?? 0),
    activeCount: Number(totals.active),
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

/** Walked by key: an index on the due time would make every accrual a new index entry. */
export async function listDue(
  db: Database,
  page: QueryRequest<'due'> & { ledger: number },
): Promise<QueryResponse<'due'>> {
  let query = db
    .selectFrom('investment')
    .select(['investmentId', 'startedAt', 'unit', 'duration'])
    .where('ledgerId', '=', page.ledger)
    .where('nextDueAt', '<=', atInstant(page.now))
    .orderBy('investmentId')
    .limit(page.limit)
  if (page.after !== null) query = query.where('investmentId', '>', page.after)
  if (page.investorId !== null) query = query.where('investorId', '=', page.investorId)
  const rows = await query.execute()
  const nowMs = Date.parse(page.now)
  const due = rows.map(({ investmentId, startedAt: startedAtMs, duration, unit }) => ({
    investmentId,
    units: unitsElapsed({ startedAtMs, unit: unitOf({ unit }), duration, nowMs }),
  }))
  return { due }
}

function filtered<O>(query: Selected<O>, filter: Filter): Selected<O> {
  let narrowed = query.where('ledgerId', '=', filter.ledger)
  if (filter.investorIds !== null) {
    if (filter.investorIds.length === 0) return narrowed.limit(0)
    narrowed = narrowed.where('investorId', 'in', filter.investorIds)
  }
  if (filter.status !== null) narrowed = narrowed.where('status', '=', filter.status)
  if (filter.from !== null) narrowed = narrowed.where('startedAt', '>=', atInstant(filter.from))
  if (filter.to !== null) narrowed = narrowed.where('startedAt', '<', atInstant(filter.to))
  if (filter.q === null) return narrowed
  const { q } = filter
  return narrowed.where((eb) =>
    eb.or([
      eb('reference', 'like', likePrefix(q.toUpperCase())),
      eb('planName', 'ilike', likeAnywhere(q)),
      ...(amountAsked(q) === null ? [] : [eb('principalMinor', '=', amountAsked(q))]),
    ]),
  )
}

function toInvestment(row: Investment): LedgerInvestment {
  return {
    ...row,
    status: LedgerInvestment.shape.status.parse(row.status),
    unit: unitOf(row),
    startedAt: instant(row.startedAt),
    expiresAt: instant(row.expiresAt),
    nextDueAt: instantOrNull(row.nextDueAt),
    endedAt: instantOrNull(row.endedAt),
  }
}
