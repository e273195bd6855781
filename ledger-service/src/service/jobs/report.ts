import {
  type LedgerClient,
  RetryRequest,
  reportQueues,
  type WorkerReport,
} from '@cairn/ledger-contracts'
import type { PgBoss } from 'pg-boss'
import type { Clock } from '../clock.ts'
import { BadRequest, type Handler } from '../http/server.ts'

const LOOK_MS = 60_000

interface ReportDeps {
  boss: PgBoss
  accrualLag(): Promise<number>
}

/** How this worker stands, and one more run of what it gave up. */
export function jobRoutes(deps: ReportDeps): Readonly<Record<string, Handler>> {
  const { boss } = deps
  return {
    'GET /v1/jobs': async () => ({ status: 200, body: await report(deps) }),
    'POST /v1/jobs/retry': async ({ body }) => {
      const { queue } = RetryRequest.parse(body)
      const known = await boss.getQueue(queue)
      if (known === null) throw new BadRequest(404, `There is no queue ${queue}`)
      // What is due is computed by the run itself, so one new run does what the failed ones did not.
      const id = await boss.send(queue, {})
      return { status: 200, body: { retried: id === null ? 0 : 1 } }
    },
  }
}

async function report(deps: ReportDeps): Promise<WorkerReport> {
  const db = deps.boss.getDb()
  const queues = await reportQueues((text, values) => db.executeSql(text, values), 'ledger_jobs')
  const value = await deps.accrualLag()
  return { worker: 'ledger', queues, lags: [{ name: 'accrual', unit: 'seconds', value }] }
}

/**
 * Since when the oldest profit that is due has not been credited; 0 when none is. The ledger looks
 * through all investments for it, as a run does, so it is asked no more often than runs are made: an
 * index on the next due time would be written by every accrual, to spare one look a minute.
 */
export function createAccrualLag({
  ledgers,
  clock,
}: {
  ledgers: readonly LedgerClient[]
  clock: Clock
}): () => Promise<number> {
  let known: { oldestDueAt: string | null; atMs: number } | null = null

  async function ask(nowMs: number): Promise<string | null> {
    const now = new Date(nowMs).toISOString()
    const lags = await Promise.all(ledgers.map((ledger) => ledger.ask('dueLag', { now })))
    // Instants in one form, so the first by the alphabet is the oldest.
    const [oldestDueAt = null] = lags.flatMap(({ oldestDueAt: at }) => at ?? []).sort()
    known = { oldestDueAt, atMs: nowMs }
    return oldestDueAt
  }

  return async () => {
    const nowMs = clock.now()
    // A clock that went back makes what is known newer than now.
    const isFresh = known !== null && Math.abs(nowMs - known.atMs) < LOOK_MS
    const oldestDueAt = known !== null && isFresh ? known.oldestDueAt : await ask(nowMs)
    return oldestDueAt === null
      ? 0
      : Math.max(0, Math.round((nowMs - Date.parse(oldestDueAt)) / 1_000))
  }
}
