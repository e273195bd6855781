import {
  type Id,
  LedgerTransaction,
  type QueryRequest,
  type QueryResponse,
} from '@cairn/ledger-contracts'
import type { SelectQueryBuilder } from 'kysely'
import {
  amountAsked,
  atInstant,
  instant,
  instantOrNull,
  likePrefix,
  orderOf,
} from '../database/filter.ts'
import type { Database, LedgerSchema } from '../schema.ts'
import type { Transaction } from './transaction.ts'

type Filter = QueryRequest<'transactions'> & { ledger: number }
type Selected<O> = SelectQueryBuilder<LedgerSchema, 'transaction', O>

export async function listTransactions(
  db: Database,
  filter: Filter,
): Promise<QueryResponse<'transactions'>> {
  const { column, direction } = orderOf(filter.order, 'createdAt')
  const [rows, totals] = await Promise.all([
    filtered(db.selectFrom('transaction').selectAll(), filter)
      .orderBy(column, direction)
      .orderBy('seq', direction)
      .orderBy('transactionId', direction)
      .limit(filter.limit)
      .offset(filter.offset)
      .execute(),
    filtered(
      db
        .selectFrom('transaction')
        .select(({ fn }) => [
          fn.countAll<bigint>().as('count'),
          fn.sum<string | null>('amountMinor').as('sum'),
        ]),
      filter,
    ).executeTakeFirstOrThrow(),
  ])
  return {
    transactions: rows.map(toTransaction),
    total: Number(totals.count),
    totalMinor: BigInt(totals.sum ?? 0),
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

function filtered<O>(query: Selected<O>, filter: Filter): Selected<O> {
  let narrowed = query.where('ledgerId', '=', filter.ledger)
  if (filter.investorIds !== null) {
    if (filter.investorIds.length === 0) return narrowed.where('investorId', 'is', null).limit(0)
    narrowed = narrowed.where('investorId', 'in', filter.investorIds)
  }
  if (filter.type !== null) narrowed = narrowed.where('type', '=', filter.type)
  if (filter.status !== null) narrowed = narrowed.where('status', '=', filter.status)
  if (filter.from !== null) narrowed = narrowed.where('createdAt', '>=', atInstant(filter.from))
  if (filter.to !== null) narrowed = narrowed.where('createdAt', '<', atInstant(filter.to))
  if (filter.q === null) return narrowed
  const { q } = filter
  return narrowed.where((eb) =>
    eb.or([
      eb('reference', 'like', likePrefix(q.toUpperCase())),
      ...(amountAsked(q) === null ? [] : [eb('amountMinor', '=', amountAsked(q))]),
    ]),
  )
}

function toTransaction(row: Transaction): LedgerTransaction {
  const { type, purpose, status } = LedgerTransaction.shape
  return {
    ...row,
    type: type.parse(row.type),
    purpose: purpose.parse(row.purpose),
    status: status.parse(row.status),
    netMinor: row.amountMinor - row.feeMinor,
    createdAt: instant(row.createdAt),
    decidedAt: instantOrNull(row.decidedAt),
  }
}
