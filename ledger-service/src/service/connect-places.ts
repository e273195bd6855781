import type pg from 'pg'
import { connectClient, createPool } from './database/pool.ts'
import { findPlace, type Place } from './directory/place.ts'

const CONNECTIONS_MAX = 4

/** A ledger as a command reaches it that runs in place of the service. */
export interface ReachedLedger {
  readonly ledger: number
  readonly databaseUrl: string
  readonly pool: pg.Pool
  /** The connection of the place that holds the locks of the election. */
  readonly lock: pg.Client
}

/** The databases of all ledgers, for a command that runs in place of the service. */
export interface ConnectedPlaces {
  /** All ledgers, in ascending order. */
  readonly ledgers: readonly ReachedLedger[]
  close(): Promise<void>
}

/** Connects to all places. Throws if one of them does not answer. */
export async function connectPlaces(
  places: readonly Place[],
  name: string,
): Promise<ConnectedPlaces> {
  const pools: pg.Pool[] = []
  const locks: pg.Client[] = []
  const close = async () => {
    await Promise.all([...pools.map((pool) => pool.end()), ...locks.map((lock) => lock.end())])
  }
  const reached: ReachedLedger[] = []
  try {
    for (const { databaseUrl, ledgers } of places) {
      const pool = createPool({ url: databaseUrl, max: CONNECTIONS_MAX, name })
      pools.push(pool)
      const lock = await connectClient({ url: databaseUrl, name, pipeline: false })
      locks.push(lock)
      reached.push(...ledgers.map((ledger) => ({ ledger, databaseUrl, pool, lock })))
    }
  } catch (error) {
    await close()
    throw error
  }
  return { ledgers: reached.toSorted((one, other) => one.ledger - other.ledger), close }
}

/** Connects to the place that holds the ledger. Throws if no place holds it. */
export async function connectPlaceOf(
  ledger: number,
  { places, name }: { places: readonly Place[]; name: string },
): Promise<ConnectedPlaces & { readonly own: ReachedLedger }> {
  const connected = await connectPlaces([findPlace(places, ledger)], name)
  const own = connected.ledgers.find((reached) => reached.ledger === ledger)
  if (own === undefined) throw new Error(`ledger ${ledger} is not reached`)
  return { ...connected, own }
}
