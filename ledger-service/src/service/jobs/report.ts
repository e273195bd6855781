import {
  type LedgerClient,
  RetryRequest,
  reportQueues,
  type WorkerReport,
} from '@cairn/ledger-contracts'
import type { Clock } from '@cairn/service-kit/clock'
import { RELEASE } from '@cairn/service-kit/release'
import type { PgBoss } from 'pg-boss'
import { BadRequest, type Route } from '../http/server.ts'
import { runForEach } from '../run-for-each.ts'

const CACHE_MS = 60_000
const LEDGERS_AT_ONCE = 32

interface ReportDeps {
  boss: PgBoss
  readAccrualLag(): Promise<number>
}

/** The routes that report the queues of this worker and run failed jobs again. */
export function createJobRoutes(deps: ReportDeps): Readonly<Record<string, Route>> {
  const { boss } = deps
  return {
    'GET /v1/jobs': {
      needs: 'canRunJobs',
      handle: async () => ({ status: 200, body: await createReport(deps) }),
    },
    'POST /v1/jobs/retry': {
      needs: 'canRunJobs',
      handle: async ({ body }) => {
        const { queue } = RetryRequest.parse(body)
        const known = await boss.getQueue(queue)
        if (known === null) throw new BadRequest(404, `There is no queue ${queue}`)
        // Each run processes everything that is due, so one new run replaces all failed runs.
        const id = await boss.send(queue, {})
        return { status: 200, body: { retried: id === null ? 0 : 1 } }
      },
    },
  }
}

async function createReport(deps: ReportDeps): Promise<WorkerReport> {
  const db = deps.boss.getDb()
  const queues = await reportQueues((text, values) => db.executeSql(text, values), 'ledger_jobs')
  const value = await deps.readAccrualLag()
  const lags = [{ name: 'accrual', unit: 'seconds' as const, value }]
  return { worker: 'ledger', queues, lags, release: RELEASE }
}

/**
 * Creates a function that returns the age of the oldest uncredited due profit in seconds, or 0. The
 * ledger scans all investments to find this profit, so the answer is cached.
 */
export function createAccrualLag({
  ledgers,
  clock,
}: {
  ledgers: readonly LedgerClient[]
  clock: Clock
}): () => Promise<number> {
  let known: { oldestDueAt: string | null; atMs: number } | null = null

  async function readOldestDueTime(nowMs: number): Promise<string | null> {
    const now = new Date(nowMs).toISOString()
    const dueTimes: string[] = []
    await runForEach({ items: ledgers, atOnce: LEDGERS_AT_ONCE }, async (ledger) => {
      const { oldestDueAt: at } = await ledger.ask('dueLag', { now })
      if (at !== null) dueTimes.push(at)
    })
    // All times have the same format, so the first string in the sort order is the oldest time.
    const [oldestDueAt = null] = dueTimes.sort()
    known = { oldestDueAt, atMs: nowMs }
    return oldestDueAt
  }

  return async () => {
    const nowMs = clock.now()
    // After the clock was set back, the time of the cached answer can be in the future.
    const isFresh = known !== null && Math.abs(nowMs - known.atMs) < CACHE_MS
    const oldestDueAt =
      known !== null && isFresh ? known.oldestDueAt : await readOldestDueTime(nowMs)
    return oldestDueAt === null
      ? 0
      : Math.max(0, Math.round((nowMs - Date.parse(oldestDueAt)) / 1_000))
  }
}
