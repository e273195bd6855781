import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createLedgerClient, type LedgerClient } from '@cairn/ledger-contracts'
import type { TestDatabase } from '@cairn/local/test-database'
import { systemClock } from '@cairn/service-kit/clock'
import { pino } from 'pino'
import { model } from '../../src/domain/model.ts'
import { createElectionSession, type ElectionSession } from '../../src/log/election-session.ts'
import { createPlacedPairs } from '../../src/log/placed-pairs.ts'
import { type BatchStatement, createBatchStatement } from '../../src/log/statement.ts'
import type { Store } from '../../src/log/store.ts'
import { logTables } from '../../src/log/tables.ts'
import { createPool } from '../../src/service/database/pool.ts'
import { createLedgerRoutes, type LedgerParts } from '../../src/service/http/routes.ts'
import { createHttpServer } from '../../src/service/http/server.ts'
import { openLedger } from '../../src/service/ledger.ts'
import { TEST_TOKEN } from './service-process.ts'
import type { TestLedger } from './test-ledger.ts'

/** An instance of the ledger service in this process, with an election session and HTTP. */
export interface ElectedInstance {
  readonly address: string
  /** The clients of the ledgers from 1 on. */
  readonly clients: readonly LedgerClient[]
  close(): Promise<void>
}

const shared = createBatchStatement([...logTables, ...model.tables])

const keepSession = (session: ElectionSession) => session

export async function startElectedInstance(options: {
  database: TestDatabase
  signing: TestLedger['signing']
  ledgers: number
  statement?: BatchStatement
  wrapStore?: (store: Store, ledger: number) => Store
  /** The number of pairs that the ledgers share. By default, each ledger has its own. */
  pairs?: number
  /** The default is a minute. */
  writerIdleMs?: number
  patienceMs?: number
  /** Disables a safety mechanism of the election. */
  wrapSession?: (session: ElectionSession) => ElectionSession
}): Promise<ElectedInstance> {
  const { database, signing, ledgers: count, wrapSession = keepSession } = options
  const {
    statement = shared,
    pairs = count,
    wrapStore = (store: Store) => store,
    writerIdleMs = 60_000,
  } = options
  const log = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' })
  const databaseUrl = database.urlFor('cairn_ledger')
  const ledgers = new Map<number, LedgerParts>()
  const server = createHttpServer({
    tokens: { ledger: [TEST_TOKEN] },
    tls: null,
    log,
    routes: createLedgerRoutes({ ledgers, checkHealth: async () => ({ isOk: true }) }),
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The cast is safe, because the server listens on a port.
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const pool = createPool({ url: databaseUrl, max: 4, name: 'test-read' })
  const { version } = model
  const { patienceMs = 1_000 } = options
  const own = { databaseUrl, address, version, ledgers: count, log, patienceMs }
  const session = createElectionSession(own)
  const election = { session: wrapSession(session), token: TEST_TOKEN, writerIdleMs }
  const openPair = createPlacedPairs({ databaseUrl, max: pairs })
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  for (const ledger of numbers) {
    const place = { ledger, databaseUrl, pool, clock: systemClock, log, election }
    const parts = {
      wrapStore: (store: Store) => wrapStore(store, ledger),
      openPair,
      statement,
    }
    ledgers.set(ledger, openLedger({ ...signing, ...place, ...parts }))
  }
  return {
    address,
    clients: numbers.map((ledger) =>
      createLedgerClient({ url: address, token: TEST_TOKEN, ledger }),
    ),
    close: async () => {
      session.announceStop()
      await Promise.all([...ledgers.values()].map((parts) => parts.stop()))
      await session.stop()
      server.closeAllConnections()
      server.close()
      await pool.end()
    },
  }
}
