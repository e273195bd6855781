import { announceRelease } from '@cairn/service-kit/announce-release'
import { waitForDatabase } from '@cairn/service-kit/wait-for-database'
import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'

const SCHEMA = 'ledger_jobs'
const INTERVAL_SECONDS = 10
/** A job without a heartbeat for this time is given to another process. */
export const HEARTBEAT_SECONDS = 30

/** Starts pg-boss, which creates and upgrades the tables of its own schema. */
export async function startJobs(options: { databaseUrl: string; log: Logger }): Promise<PgBoss> {
  const { databaseUrl, log } = options
  await waitForDatabase({ url: databaseUrl, log })
  await announceRelease({ url: databaseUrl, log })
  const boss = new PgBoss({
    connectionString: databaseUrl,
    schema: SCHEMA,
    application_name: 'ledger-worker',
    createSchema: false,
    max: 4,
    superviseIntervalSeconds: INTERVAL_SECONDS,
    monitorIntervalSeconds: INTERVAL_SECONDS,
    // The schedule is checked more often than its interval, so that profit is credited in time.
    cronMonitorIntervalSeconds: 5,
    cronWorkerIntervalSeconds: 5,
  })
  boss.on('error', (error) => log.error({ err: error }, 'pg-boss'))
  await boss.start()
  return boss
}
