import type { Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Durability } from '@cairn/ledger-contracts'
import { announceRelease } from '@cairn/service-kit/announce-release'
import type { Tracer } from '@cairn/service-kit/tracing/tracer'
import { waitForDatabase } from '@cairn/service-kit/wait-for-database'
import type { Logger } from 'pino'
import { model as ruleBook } from '../domain/model.ts'
import { createConnectionPairs } from '../log/connection-pairs.ts'
import { createCrashingStore } from '../log/crash-points.ts'
import { readDurability } from '../log/durability.ts'
import { createElectionSession } from '../log/election-session.ts'
import type { Model } from '../log/model.ts'
import { shareMemory } from '../log/shared-memory.ts'
import { createBatchStatement } from '../log/statement.ts'
import type { Store } from '../log/store.ts'
import { logTables } from '../log/tables.ts'
import { startCopying } from '../proofs/copy-checkpoints.ts'
import { readOrCreateKey, type SigningKey } from '../proofs/signing-key.ts'
import { createReplica } from '../queries/replica.ts'
import { checkLedgers } from './check-ledgers.ts'
import type { ServeConfig } from './config.ts'
import { createPool } from './database/pool.ts'
import { createLedgerRoutes, type LedgerParts } from './http/routes.ts'
import { createHttpServer } from './http/server.ts'
import { openLedger } from './ledger.ts'
import { createMeteredStore } from './metrics/metered-store.ts'
import { renderMetrics } from './metrics/metrics.ts'
import { createLedgerTracing } from './tracing/ledger-tracing.ts'

const READ_CONNECTIONS_MAX = 8
/** A service with one ledger keeps its writer open, so that its health includes the writer. */
const WRITER_IDLE_MS = 60_000
/** The pairs of connections that the writers of all ledgers share. */
const CONNECTION_PAIRS_MAX = 16
const LINGER_MS = 1_000
const IDLE_CHECK_MS = 50

export interface LedgerService {
  /** Returns the number of queued commands of all ledgers. */
  countQueued(): number
  /** Returns the present durability of answered commands. */
  readDurability(): Promise<Durability>
  /** Writes and answers the accepted commands, then closes all connections. */
  stop(): Promise<void>
}

/**
 * Opens the configured ledgers on their database and listens. Throws `RefusedToStart` if a ledger
 * fails its check. Without a tracer, the service makes no spans. `model` is for tests that disable a
 * safety mechanism.
 */
export async function startService(
  config: ServeConfig,
  log: Logger,
  { tracer = null, model = ruleBook }: { tracer?: Tracer | null; model?: Model } = {},
): Promise<LedgerService> {
  await waitForDatabase({ url: config.databaseUrl, log })
  await announceRelease({ url: config.databaseUrl, log })
  const pool = createPool({
    url: config.databaseUrl,
    max: READ_CONNECTIONS_MAX,
    name: 'ledger-read',
  })
  const readPool =
    config.readUrl === null
      ? null
      : createPool({ url: config.readUrl, max: READ_CONNECTIONS_MAX, name: 'ledger-replica' })
  const replica =
    readPool === null ? undefined : createReplica({ primary: pool, replica: readPool, log })
  const pem = config.signingKeyPem ?? (await readOrCreateKey(config.signingKeyFile))
  const keys = await checkLedgers(pool, { ...config, pem, atOnce: READ_CONNECTIONS_MAX })
  const startCheckedAtMs = config.clock.now()
  const session = createElectionSession({ ...config, version: model.version, log })
  const openPair = createConnectionPairs({
    databaseUrl: config.databaseUrl,
    max: CONNECTION_PAIRS_MAX,
  })
  const memory = shareMemory(config.ledgers)
  const statement = createBatchStatement([...logTables, ...model.tables])
  const ledgers = new Map([...keys].map(([ledger, key]) => [ledger, open(ledger, key)]))
  const copying = startCopying({ ...config, ledgers: [...ledgers.keys()], pool, log })
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
        isHealthy: async () => {
          if (![...ledgers.values()].every(({ writer }) => writer.isReady())) return false
          return pool.query('select 1').then(
            () => true,
            () => false,
          )
        },
      }),
    },
  })
  await listen(server, config)
  log.info({ host: config.host, port: config.port }, 'the ledger listens')

  function open(ledger: number, key: SigningKey): LedgerParts {
    const { databaseUrl, clock, token, crashFile, durability, checkpointDir } = config
    const parts = {
      ledger,
      databaseUrl,
      pool,
      key,
      checkpointDir,
      clock,
      log,
      durability,
      election: { session, token, writerIdleMs: config.ledgers === 1 ? null : WRITER_IDLE_MS },
      startCheckedAtMs,
      model,
      replica,
      openPair,
      statement,
      ...memory,
      ...(tracer === null ? {} : { tracing: createLedgerTracing(tracer, ledger) }),
    }
    if (crashFile === null) return openLedger({ ...parts, wrapStore: createMeteredStore })
    return openLedger({
      ...parts,
      wrapStore: (store: Store) => createCrashingStore(store, crashFile),
    })
  }

  return {
    readDurability: () => readDurability(pool),
    countQueued: () =>
      [...ledgers.values()].reduce((sum, { writer }) => sum + writer.countQueued(), 0),
    stop: async () => {
      isStopping = true
      log.info('the ledger is stopping')
      const closed = new Promise((resolve) => server.close(resolve))
      // While the service stops, idle connections are closed again and again. Otherwise clients
      // would continue to send requests over keep-alive connections.
      const idleCheck = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS)
      await Promise.all([...ledgers.values()].map((parts) => parts.stop()))
      await session.stop()
      await copying.stop()
      await Promise.race([closed, delay(LINGER_MS)])
      clearInterval(idleCheck)
      server.closeAllConnections()
      await Promise.all([pool.end(), readPool?.end()])
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
