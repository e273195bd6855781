import type { Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { DatabaseState, Durability } from '@cairn/ledger-contracts'
import type { Tracer } from '@cairn/service-kit/tracing/tracer'
import type { Logger } from 'pino'
import { model as ruleBook } from '../domain/model.ts'
import type { Model } from '../log/model.ts'
import { shareMemory } from '../log/shared-memory.ts'
import { createBatchStatement } from '../log/statement.ts'
import { logTables } from '../log/tables.ts'
import { readKeys } from '../proofs/signing-key.ts'
import type { ServeConfig } from './config.ts'
import { openDirectory } from './directory/directory.ts'
import { LEDGERS_MAX } from './directory/place.ts'
import { createLedgerRoutes, type LedgerParts } from './http/routes.ts'
import { createHttpServer } from './http/server.ts'
import { renderMetrics } from './metrics/metrics.ts'
import { createPlaces } from './places.ts'

/** A service with one ledger keeps its writer open, so that its health includes the writer. */
const WRITER_IDLE_MS = 60_000
/** The time that a start waits for places that do not answer, if there are several. */
const PLACES_MS_MAX = 10_000
const LINGER_MS = 1_000
const IDLE_CHECK_MS = 50

export interface LedgerService {
  /** Returns the number of queued commands of all ledgers. */
  countQueued(): number
  /** Returns the number of places that do not answer. */
  countUnavailablePlaces(): Promise<number>
  /** Returns the present durability of answered commands. */
  readDurability(): Promise<Durability>
  /** Returns the state of the database of each open place that answers, by the name of the place. */
  readDatabaseStates(): Promise<ReadonlyMap<string, DatabaseState>>
  /** Writes and answers the accepted commands, then closes all connections. */
  stop(): Promise<void>
}

/**
 * Opens the configured ledgers on their databases and listens. With one database, throws
 * `RefusedToStart` if a ledger fails its check. Without a tracer, the service makes no spans. `model`
 * is for tests that disable a safety mechanism.
 */
export async function startService(
  config: ServeConfig,
  log: Logger,
  { tracer = null, model = ruleBook }: { tracer?: Tracer | null; model?: Model } = {},
): Promise<LedgerService> {
  const readPems = () => readKeys(config)
  const directory = openDirectory({ places: config.places, file: config.directoryFile, log })
  const isFixed = config.directoryFile === null
  const count = directory.ledgers().length
  const ledgers = new Map<number, LedgerParts>()
  const shared = {
    config,
    log,
    readPems,
    model,
    tracer,
    memory: shareMemory(count),
    statement: createBatchStatement([...logTables, ...model.tables]),
    writerIdleMs: count === 1 ? null : WRITER_IDLE_MS,
    lastLedger: isFixed ? count : LEDGERS_MAX,
    ledgers,
  }
  const places = createPlaces(directory, shared, { isFixed, waitMs: PLACES_MS_MAX })
  await places.opened
  let isStopping = false
  const server = createHttpServer({
    tokens: config.tokens,
    tls: config.tls,
    log,
    isTraced: tracer !== null,
    routes: {
      'GET /metrics': {
        needs: 'canReadMetrics',
        handle: async () => ({ status: 200, body: null, text: await renderMetrics() }),
      },
      ...createLedgerRoutes({
        ledgers,
        isStopping: () => isStopping,
        isKnown: (ledger) => directory.ledgers().includes(ledger),
        checkHealth: async () => {
          const unavailable = await places.listUnavailable()
          return {
            isOk: unavailable.length < places.count(),
            ...(isFixed ? {} : { unavailable }),
          }
        },
      }),
    },
  })
  await listen(server, config)
  log.info({ host: config.host, port: config.port }, 'the ledger listens')

  return {
    readDurability: places.readDurability,
    readDatabaseStates: places.readDatabaseStates,
    countUnavailablePlaces: async () => (await places.listUnavailable()).length,
    countQueued: () =>
      [...ledgers.values()].reduce((sum, { writer }) => sum + writer.countQueued(), 0),
    stop: async () => {
      isStopping = true
      log.info('the ledger is stopping')
      directory.stop()
      const closed = new Promise((resolve) => server.close(resolve))
      // While the service stops, idle connections are closed again and again. Otherwise clients
      // would continue to send requests over keep-alive connections.
      const idleCheck = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS)
      await places.stop()
      await Promise.race([closed, delay(LINGER_MS)])
      clearInterval(idleCheck)
      server.closeAllConnections()
      await places.close()
    },
  }
}

function listen(server: Server, { port, host }: { port: number; host: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}
