import { tryTakeLock } from '../log/election-locks.ts'
import { listConnectedInstances, servesLedger } from '../log/instances.ts'
import { listVerifierKeys } from '../proofs/log-keys.ts'
import type { ReachedLedger } from './connect-places.ts'

/**
 * Takes the lock of each ledger that no instance serves. Adds the other ledgers to `running`. Throws
 * if an instance cannot go on with a new key, or if another command holds a lock.
 */
export async function reserveLedgers(
  ledgers: readonly ReachedLedger[],
  { reason, running }: { reason: string | null; running: Set<number> },
): Promise<void> {
  for (const reached of ledgers) {
    const { ledger, lock } = reached
    const instances = (await listConnectedInstances(lock)).filter((one) =>
      servesLedger(one, ledger),
    )
    const older = instances.find(({ opensNewKeys }) => !opensNewKeys)
    if (older !== undefined && reason === null) {
      throw new Error(
        `ledger ${ledger}: the instance ${older.address} of an older release would go on with the ` +
          'old key: stop it, or replace its program first',
      )
    }
    if (instances.length > 0 && reason === null) {
      await requireKey(reached)
      running.add(ledger)
    } else if (!(await tryTakeLock(lock, ledger))) {
      throw new Error(`ledger ${ledger} is in use: stop all ledger services first`)
    }
  }
}

/**
 * Throws if nothing was signed yet. The log then has no event that would tell the instances of the
 * new key, and they would sign with the key that is about to be deleted.
 */
async function requireKey({ ledger, pool }: ReachedLedger): Promise<void> {
  if ((await listVerifierKeys(pool, ledger)).length > 0) return
  throw new Error(
    `ledger ${ledger} has signed nothing yet, so its instances would go on with the old key: stop ` +
      'all ledger services first',
  )
}
