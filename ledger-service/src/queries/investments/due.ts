import { countElapsedUnits, type QueryRequest, type QueryResponse } from '@cairn/ledger-contracts'
import { sql } from 'kysely'
import { investmentTable } from '../../domain/investments/investment.ts'
import { checkRow } from '../../log/table.ts'
import { bindInstant } from '../../service/database/filter.ts'
import type { Database } from '../schema.ts'

type DuePage = QueryRequest<'due'> & { ledger: number }
type DelayRequest = QueryRequest<'dueLag'> & { ledger: number }

/**
 * Scans the active investments by id. There is no index on the due time, because each accrual would
 * have to update that index.
 */
export async function listDueInvestments(
  db: Database,
  page: DuePage,
): Promise<QueryResponse<'due'>> {
  const rows = await selectDue(db, page).execute()
  const nowMs = Date.parse(page.now)
  const due = rows.map((row) => {
    const { investmentId, startedAt: startedAtMs, unit, duration } = checkRow(investmentTable, row)
    return { investmentId, units: countElapsedUnits({ startedAtMs, unit, duration, nowMs }) }
  })
  return { due }
}

export async function listDueBonuses(
  db: Database,
  { ledger, now, limit }: QueryRequest<'dueBonuses'> & { ledger: number },
): Promise<QueryResponse<'dueBonuses'>> {
  const rows = await db
    .selectFrom('investment')
    .select('investmentId')
    .where('ledgerId', '=', ledger)
    .where('bonusDueAt', '<=', bindInstant(now))
    .orderBy('investmentId')
    .limit(limit)
    .execute()
  return { investmentIds: rows.map(({ investmentId }) => investmentId) }
}

/**
 * Scans all active investments, which is slow. Monitoring and pages may use this query; accruals
 * must not use it.
 */
export async function measureAccrualDelay(
  db: Database,
  request: DelayRequest,
): Promise<QueryResponse<'dueLag'>> {
  const { due, oldest } = await selectDelay(db, request).executeTakeFirstOrThrow()
  return { due: Number(due), oldestDueAt: oldest === null ? null : new Date(oldest).toISOString() }
}

// The status is part of the text of both queries, because PostgreSQL uses a partial index only if
// it knows the condition when it plans.

/** Exported for the test that reads the plan of the query. */
export function selectDue(db: Database, page: DuePage) {
  const { ledger, now, after, investorId, limit } = page
  let query = db
    .selectFrom('investment')
    .select(['investmentId', 'startedAt', 'unit', 'duration'])
    .where('ledgerId', '=', ledger)
    .where('status', '=', sql.lit('active'))
    .where('nextDueAt', '<=', bindInstant(now))
    .orderBy('investmentId')
    .limit(limit)
  if (after !== null) query = query.where('investmentId', '>', after)
  if (investorId !== null) query = query.where('investorId', '=', investorId)
  return query
}

/** Exported for the test that reads the plan of the query. */
export function selectDelay(db: Database, { ledger, now }: DelayRequest) {
  return db
    .selectFrom('investment')
    .select(({ fn }) => [fn.countAll<string>().as('due'), fn.min('nextDueAt').as('oldest')])
    .where('ledgerId', '=', ledger)
    .where('status', '=', sql.lit('active'))
    .where('nextDueAt', '<=', bindInstant(now))
}
