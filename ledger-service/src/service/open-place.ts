import type { DatabaseState, Durability } from '@cairn/ledger-contracts'
import { announceRelease } from '@cairn/service-kit/announce-release'
import { findCertificateEnd } from '@cairn/service-kit/service-tls'
import type { Tracer } from '@cairn/service-kit/tracing/tracer'
import { waitForDatabase } from '@cairn/service-kit/wait-for-database'
import type pg from 'pg'
import type { Logger } from 'pino'
import { createCrashingStore } from '../log/crash-points.ts'
import { readDatabaseState } from '../log/database-state.ts'
import { readDurability } from '../log/durability.ts'
import { createElectionSession } from '../log/election-session.ts'
import type { Model } from '../log/model.ts'
import { createPlacedPairs } from '../log/placed-pairs.ts'
import { isCitus } from '../log/shards.ts'
import type { shareMemory } from '../log/shared-memory.ts'
import type { BatchStatement } from '../log/statement.ts'
import type { Store } from '../log/store.ts'
import { startCopying } from '../proofs/copy-checkpoints.ts'
import { createLogKey } from '../proofs/log-key.ts'
import type { SigningKey } from '../proofs/signing-key.ts'
import { createReplica } from '../queries/replica.ts'
import { type CheckedLedgers, checkLedgers } from './check-ledgers.ts'
import type { ServeConfig } from './config.ts'
import { createPool, SILENCE_MS } from './database/pool.ts'
import type { Place } from './directory/place.ts'
import type { LedgerParts } from './http/routes.ts'
import { openLedger } from './ledger.ts'
import { createMeteredStore } from './metrics/metered-store.ts'
import { createLedgerTracing } from './tracing/ledger-tracing.ts'
import { createWaitingLedgers } from './waiting-ledgers.ts'

const READ_CONNECTIONS_MAX = 8
/** The pairs of connections that the writers of all ledgers of a place share. */
const CONNECTION_PAIRS_MAX = 16

/** What the places of a service have in common. */
export interface SharedParts {
  readonly config: Omit<ServeConfig, 'places'>
  readonly log: Logger
  /**
   * Returns the signing keys, see `readKeys`. The first start creates the first one when a database
   * answers.
   */
  readPems(): Promise<readonly string[]>
  readonly model: Model
  readonly tracer: Tracer | null
  readonly memory: ReturnType<typeof shareMemory>
  readonly statement: BatchStatement
  readonly writerIdleMs: number | null
  /** The highest number of a ledger that this instance may serve, see `formatInstanceName`. */
  readonly lastLedger: number
  /** The open ledgers of all places. */
  readonly ledgers: Map<number, LedgerParts>
}

/** A database with its open ledgers. */
export interface OpenPlace {
  isHealthy(): Promise<boolean>
  readDurability(): Promise<Durability>
  readDatabaseState(): Promise<DatabaseState>
  /**
   * Checks and opens ledgers. Those on a node of a cluster that does not answer are opened when it
   * answers. Throws `RefusedToStart` if a ledger fails its check.
   */
  addLedgers(ledgers: readonly number[]): Promise<void>
  /** Writes and answers the accepted commands of the ledgers, then closes them. */
  removeLedgers(ledgers: readonly number[]): Promise<void>
  /** Does the same with all ledgers. Queries can still read. */
  stop(): Promise<void>
  /** Closes the connections for reads. */
  close(): Promise<void>
}

/**
 * Waits for the database, checks its ledgers and opens them. Throws `RefusedToStart` if a ledger
 * fails its check, and an error if `signal` is aborted.
 */
export async function openPlace(
  place: Place,
  shared: SharedParts,
  signal: AbortSignal,
): Promise<OpenPlace> {
  const { databaseUrl: url, readUrl } = place
  const { log } = shared
  await waitForDatabase({ url, log, signal })
  const failed = new AbortController()
  await announceRelease({ url, log, signal: AbortSignal.any([signal, failed.signal]) })
  const limits = { max: READ_CONNECTIONS_MAX, silenceMs: SILENCE_MS }
  const pool = createPool({ ...limits, url, name: 'ledger-read' })
  const readPool =
    readUrl === null ? null : createPool({ ...limits, url: readUrl, name: 'ledger-replica' })
  const closePools = async () => {
    await Promise.all([pool.end(), readPool?.end()])
  }
  try {
    const isCluster = await isCitus(pool)
    const checked = await checkPlace({ place, pool, shared })
    signal.throwIfAborted()
    return serveLedgers({ place, pool, readPool, checked, isCluster, shared, closePools })
  } catch (error) {
    failed.abort()
    await closePools()
    throw error
  }
}

async function checkPlace({
  place,
  pool,
  shared,
}: {
  place: Pick<Place, 'ledgers'>
  pool: pg.Pool
  shared: SharedParts
}): Promise<CheckedLedgers> {
  const { checkpointDir, origin } = shared.config
  const pems = await shared.readPems()
  return checkLedgers(pool, { ...place, checkpointDir, origin, pems, atOnce: READ_CONNECTIONS_MAX })
}

function serveLedgers(given: {
  place: Place
  pool: pg.Pool
  readPool: pg.Pool | null
  checked: CheckedLedgers
  isCluster: boolean
  shared: SharedParts
  closePools(): Promise<void>
}): OpenPlace {
  const { pool, readPool, shared, closePools } = given
  const { databaseUrl } = given.place
  const { config, log, model, tracer, memory, statement, writerIdleMs } = shared
  const { clock, token, crashFile, durability, checkpointDir, address, peers } = config
  const session = createElectionSession({
    databaseUrl,
    address,
    peers,
    ledgers: shared.lastLedger,
    version: model.version,
    log,
  })
  const openPair = createPlacedPairs({ databaseUrl, max: CONNECTION_PAIRS_MAX })
  const replica =
    readPool === null ? undefined : createReplica({ primary: pool, replica: readPool, log })
  const open = new Map<number, LedgerParts>()
  const check = (ledgers: readonly number[]) => checkPlace({ place: { ledgers }, pool, shared })
  const waiting = createWaitingLedgers({ check, open: openAll, log })
  openChecked(given.checked)
  const copying = startCopying({ ...config, listLedgers: () => [...open.keys()], pool, log })

  function openChecked(checked: CheckedLedgers): void {
    openAll(checked.keys)
    waiting.add(checked)
  }

  function openAll(keys: ReadonlyMap<number, SigningKey>): void {
    const startCheckedAtMs = clock.now()
    for (const [ledger, first] of keys) {
      const { readPems } = shared
      const key = createLogKey(first, { ledger, origin: config.origin, readPems })
      const parts = openLedger({
        ledger,
        databaseUrl,
        pool,
        key,
        checkpointDir,
        clock,
        log,
        durability,
        election: { session, token, writerIdleMs },
        startCheckedAtMs,
        certificateEnd: findCertificateEnd(config.tls),
        model,
        replica,
        openPair,
        statement,
        ...memory,
        ...(tracer === null ? {} : { tracing: createLedgerTracing(tracer, ledger) }),
        wrapStore: (store: Store) =>
          crashFile === null ? createMeteredStore(store) : createCrashingStore(store, crashFile),
      })
      open.set(ledger, parts)
      shared.ledgers.set(ledger, parts)
    }
  }

  /** A node of a cluster that is down stops its own ledgers only. */
  function isServing(): boolean {
    const writers = [...open.values()].map(({ writer }) => writer)
    if (!given.isCluster) return writers.every((writer) => writer.isReady())
    if (writers.length === 0) return waiting.count() === 0
    return writers.some((writer) => writer.isReady())
  }

  async function stopLedgers(ledgers: readonly number[]): Promise<void> {
    const stopping = ledgers.map((ledger) => {
      const parts = open.get(ledger)
      open.delete(ledger)
      return parts?.stop()
    })
    await Promise.all(stopping)
  }

  return {
    isHealthy: async () => {
      if (!isServing()) return false
      return pool.query('select 1').then(
        () => true,
        () => false,
      )
    },
    readDurability: () => readDurability(pool),
    readDatabaseState: () => readDatabaseState(pool),
    addLedgers: async (ledgers) => openChecked(await check(ledgers)),
    removeLedgers: (ledgers) => {
      waiting.remove(ledgers)
      for (const ledger of ledgers) shared.ledgers.delete(ledger)
      return stopLedgers(ledgers)
    },
    stop: async () => {
      session.announceStop()
      // The check of a node that does not answer can take long. The open ledgers do not wait for it.
      await Promise.all([waiting.stop(), stopLedgers([...open.keys()])])
      await session.stop()
      await copying.stop()
    },
    close: closePools,
  }
}
