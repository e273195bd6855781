import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { untilDatabase } from '../database/pool.ts'

const SCHEMA = 'ledger_jobs'
const LOOK_SECONDS = 10
/** A job whose process says nothing for so long is given to another one. */
export const HEARTBEAT_SECONDS = 30

/** pg-boss in its own schema, which its own role owns; it makes and upgrades its tables itself. */
export async function startJobs(options: { databaseUrl: string; log: Logger }): Promise<PgBoss> {
  const { databaseUrl, log } = options
  await untilDatabase({ url: databaseUrl, name: 'ledger-worker', log })
  const boss = new PgBoss({
    connectionString: databaseUrl,
    schema: SCHEMA,
    application_name: 'ledger-worker',
    createSchema: false,
    max: 4,
    superviseIntervalSeconds: LOOK_SECONDS,
    monitorIntervalSeconds: LOOK_SECONDS,
    // Due profit should not wait longer for the schedule to be looked at than for the schedule.
    cronMonitorIntervalSeconds: 5,
    cronWorkerIntervalSeconds: 5,
  })
  boss.on('error', (error) => log.error({ err: error }, 'pg-boss'))
  await boss.start()
  return boss
}
