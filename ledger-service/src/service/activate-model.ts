import type { Command } from '@cairn/ledger-contracts'
import type pg from 'pg'
import type { Logger } from 'pino'
import { model as ruleBook } from '../domain/model.ts'
import { tryTakeLock } from '../log/election-locks.ts'
import { listInstances } from '../log/instances.ts'
import type { Model } from '../log/model.ts'
import { createSealError, findSealKind } from '../log/seal.ts'
import { openLogKey } from '../proofs/log-keys.ts'
import { readKeys } from '../proofs/signing-key.ts'
import type { ServeConfig } from './config.ts'
import { connectPlaces, type ReachedLedger } from './connect-places.ts'
import { openLedger } from './ledger.ts'

/** A version of the rules that was activated in a ledger. */
export interface ActivatedModel {
  readonly ledger: number
  readonly version: number
  /** The number of the event that records the activation. */
  readonly seq: bigint
}

type Activating = Pick<
  ServeConfig,
  | 'places'
  | 'origin'
  | 'checkpointDir'
  | 'signingKeyPem'
  | 'signingKeyFile'
  | 'clock'
  | 'durability'
>

/**
 * Activates the newest version of the rules that this program knows, in each ledger. Throws while
 * an instance is connected that does not know the version, because the activation would stop that
 * instance. Instances that know the version take over the log again and continue. After the
 * activation, an instance of an older program cannot take over the log. Returns nothing for a
 * ledger in which the version is already in force, so the call can be repeated.
 */
export async function activateModels(
  config: Activating,
  { log, model = ruleBook }: { log: Logger; model?: Model },
): Promise<readonly ActivatedModel[]> {
  const pems = await readKeys(config)
  const { ledgers, close } = await connectPlaces(config.places, 'ledger-model')
  try {
    for (const reached of ledgers) await requireNewInstances(reached, model.version)
    const activated: ActivatedModel[] = []
    for (const reached of ledgers) {
      activated.push(...(await activateIn(reached, { config, pems, log, model })))
    }
    return activated
  } finally {
    await close()
  }
}

/** Throws if a connected instance does not know the version, or another command holds the lock. */
async function requireNewInstances(
  { ledger, lock }: ReachedLedger,
  version: number,
): Promise<void> {
  const instances = await listInstances(lock, ledger)
  const older = instances.find((instance) => instance.version < version)
  if (older !== undefined) {
    const name = older.address === '' ? 'of an older program' : older.address
    throw new Error(
      `ledger ${ledger}: the instance ${name} does not know version ${version} of the rules: ` +
        'stop it, or replace its program first',
    )
  }
  if (instances.length > 0 || (await tryTakeLock(lock, ledger))) return
  throw new Error(`ledger ${ledger} is in use by another command`)
}

async function activateIn(
  { ledger, databaseUrl, pool }: ReachedLedger,
  given: { config: Activating; pems: readonly string[]; log: Logger; model: Model },
): Promise<readonly ActivatedModel[]> {
  const { config, pems, log, model } = given
  const { checkpointDir, clock, durability, origin } = config
  const inForce = await readVersion(pool, ledger)
  if (inForce >= model.version) return []
  const key = await openLogKey(pool, { ledger, pems, origin })
  const place = { ledger, databaseUrl, pool, checkpointDir }
  const parts = openLedger({ ...place, key, clock, log, durability, model })
  try {
    const activated: ActivatedModel[] = []
    for (let version = inForce + 1; version <= model.version; version += 1) {
      const command: Command = {
        type: 'ActivateModel',
        data: { version },
        actor: 'system:server',
        key: null,
        requestId: null,
        effectiveAt: null,
      }
      const answer = (await parts.writer.submit([command], 'interactive'))?.[0]
      if (answer?.outcome !== 'recorded') {
        throw new Error(
          `ledger ${ledger}: version ${version} was not activated: ${answer?.message}`,
        )
      }
      activated.push({ ledger, version, seq: answer.event.seq })
    }
    return activated
  } finally {
    await parts.stop()
  }
}

/** A ledger without a head has the first version of the rules. */
async function readVersion(pool: pg.Pool, ledger: number): Promise<number> {
  const { rows } = await pool.query<{ model: number }>(
    'select model from ledger.head where ledger_id = $1',
    [ledger],
  )
  const version = rows[0]?.model ?? 1
  const seal = findSealKind(version)
  if (seal !== null) throw createSealError(ledger, seal)
  return version
}
