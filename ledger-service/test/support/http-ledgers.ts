import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createLedgerClient, type LedgerClient } from '@cairn/ledger-contracts'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { pino } from 'pino'
import type { Model } from '../../src/log/model.ts'
import type { Store } from '../../src/log/store.ts'
import type { Replica } from '../../src/queries/replica.ts'
import { createLedgerRoutes, type LedgerParts } from '../../src/service/http/routes.ts'
import { createHttpServer } from '../../src/service/http/server.ts'
import { TEST_TOKEN } from './service-process.ts'
import { startTestLedger, type TestLedger } from './test-ledger.ts'

export interface HttpLedger {
  readonly number: number
  readonly client: LedgerClient
  readonly ledger: TestLedger
  close(): Promise<void>
}

/** One database and one HTTP service. Each run of a test opens a new ledger in this service. */
export interface HttpLedgers {
  readonly url: string
  open(parts?: {
    model?: Model
    replica?: Replica
    wrapStore?: (store: Store) => Store
  }): Promise<HttpLedger>
  close(): Promise<void>
}

export async function startHttpLedgers(
  options: { database?: TestDatabase } = {},
): Promise<HttpLedgers> {
  const database = options.database ?? (await createTestDatabase())
  const ledgers = new Map<number, LedgerParts>()
  const routes = createLedgerRoutes({ ledgers, checkHealth: async () => ({ isOk: true }) })
  const server = createHttpServer({
    tokens: { ledger: [TEST_TOKEN] },
    tls: null,
    log: pino({ level: 'silent' }),
    routes,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let opened = 0

  return {
    url,
    open: async (parts = {}) => {
      opened += 1
      const number = opened
      const ledger = await startTestLedger({ ...parts, database, ledger: number })
      ledgers.set(number, ledger.parts)
      return {
        number,
        ledger,
        client: createLedgerClient({ url, token: TEST_TOKEN, ledger: number }),
        close: async () => {
          ledgers.delete(number)
          await ledger.close()
        },
      }
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      if (options.database === undefined) await database.drop()
    },
  }
}
