import type pg from 'pg'
import { tryTakeLock } from '../log/election.ts'

/**
 * Takes the lock of each ledger for the connection `lock`. Throws if any instance of the ledger
 * service is running, even an instance that is not active.
 */
export async function requireStopped(lock: pg.Client, ledgers: number): Promise<void> {
  for (let ledger = 1; ledger <= ledgers; ledger += 1) {
    const { rows } = await lock.query(
      'select 1 from pg_stat_activity where application_name = $1 and datname = current_database()',
      [`ledger-${ledger}-lock`],
    )
    if (rows.length === 0 && (await tryTakeLock(lock, ledger))) continue
    throw new Error(`ledger ${ledger} is in use: stop all ledger services first`)
  }
}
