import type { LedgerClient } from '@cairn/ledger-contracts'
import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { HEARTBEAT_SECONDS } from '../service/jobs/boss.ts'
import { counted } from '../service/jobs/counted.ts'

const QUEUE = 'proofs.close-months'
const EVERY_TEN_MINUTES = '*/10 * * * *'
const POLL_SECONDS = 2

/** Each ledger itself knows which months are due and holds the key: it only has to be asked. */
export async function startMonthEnds(deps: {
  boss: PgBoss
  ledgers: readonly LedgerClient[]
  log: Logger
}): Promise<void> {
  const { boss, ledgers, log } = deps
  await boss.createQueue(QUEUE, {
    policy: 'singleton',
    retryLimit: 10,
    retryDelay: 30,
    retryBackoff: true,
    expireInSeconds: 900,
    heartbeatSeconds: HEARTBEAT_SECONDS,
  })
  const run = counted(QUEUE, async () => {
    const closed = (await Promise.all(ledgers.map((ledger) => ledger.closeMonths()))).flat()
    if (closed.length > 0) log.info({ closed }, 'months closed')
  })
  await boss.work(QUEUE, { pollingIntervalSeconds: POLL_SECONDS, batchSize: 1 }, run)
  await boss.schedule(QUEUE, EVERY_TEN_MINUTES)
  // What fell due while no worker ran should not wait for the next tick.
  await boss.send(QUEUE, {})
}
