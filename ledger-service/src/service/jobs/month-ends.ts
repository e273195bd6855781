import type { LedgerClient } from '@cairn/ledger-contracts'
import { runJobInSpan } from '@cairn/service-kit/tracing/traced-job'
import type { Tracer } from '@cairn/service-kit/tracing/tracer'
import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { runForEach } from '../run-for-each.ts'
import { HEARTBEAT_SECONDS } from './boss.ts'
import { countFailures } from './count-failures.ts'

const QUEUE = 'proofs.close-months'
const EVERY_TEN_MINUTES = '*/10 * * * *'
const POLL_SECONDS = 2
const LEDGERS_AT_ONCE = 32

/**
 * Schedules a job that asks each ledger to sign its ended months. Only the ledger holds the signing
 * key.
 */
export async function startMonthEnds(deps: {
  boss: PgBoss
  ledgers: readonly LedgerClient[]
  log: Logger
  tracer?: Tracer | null
}): Promise<void> {
  const { boss, ledgers, log, tracer = null } = deps
  await boss.createQueue(QUEUE, {
    policy: 'singleton',
    retryLimit: 10,
    retryDelay: 30,
    retryBackoff: true,
    expireInSeconds: 900,
    heartbeatSeconds: HEARTBEAT_SECONDS,
  })
  const closeMonths = async () => {
    const closed: string[] = []
    await runForEach({ items: ledgers, atOnce: LEDGERS_AT_ONCE }, async (ledger) => {
      closed.push(...(await ledger.closeMonths()))
    })
    if (closed.length > 0) log.info({ closed }, 'months closed')
  }
  const run = countFailures({ queue: QUEUE, log }, () =>
    runJobInSpan(tracer, { queue: QUEUE }, closeMonths),
  )
  await boss.work(QUEUE, { pollingIntervalSeconds: POLL_SECONDS, batchSize: 1 }, run)
  await boss.schedule(QUEUE, EVERY_TEN_MINUTES)
  // Months that ended while no worker was running are signed immediately, not at the next scheduled
  // time.
  await boss.send(QUEUE, {})
}
