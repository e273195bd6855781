import {
  type LedgerClient,
  RetryRequest,
  reportQueues,
  type WorkerReport,
} from '@cairn/ledger-contracts'
import type { PgBoss } from 'pg-boss'
import type { Clock } from '../clock.ts'
import { BadRequest, type Handler } from '../http/server.ts'

interface ReportDeps {
  boss: PgBoss
  ledger: LedgerClient
  clock: Clock
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
  const value = await accrualLagSeconds(deps)
  return { worker: 'ledger', queues, lags: [{ name: 'accrual', unit: 'seconds', value }] }
}

/** Since when the oldest profit that is due has not been credited; 0 when none is. */
export async function accrualLagSeconds({
  ledger,
  clock,
}: Pick<ReportDeps, 'ledger' | 'clock'>): Promise<number> {
  const nowMs = clock.now()
  const { oldestDueAt } = await ledger.ask('dueLag', { now: new Date(nowMs).toISOString() })
  if (oldestDueAt === null) return 0
  return Math.max(0, Math.round((nowMs - Date.parse(oldestDueAt)) / 1_000))
}
