import type pg from 'pg'
import { tryTakeLock } from '../log/election-locks.ts'
import { listInstances } from '../log/instances.ts'

/**
 * Takes the lock of each ledger for the connection `lock`. Throws if any instance of the ledger
 * service is running, even an instance that is not active.
 */
export async function requireStopped(lock: pg.Client, ledgers: readonly number[]): Promise<void> {
  for (const ledger of ledgers) {
    const instances = await listInstances(lock, ledger)
    if (instances.length === 0 && (await tryTakeLock(lock, ledger))) continue
    throw new Error(`ledger ${ledger} is in use: stop all ledger services first`)
  }
}
