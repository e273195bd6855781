import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { readServeConfig } from './config.ts'
import { createPool } from './database/pool.ts'
import { ledgerRoutes } from './http/routes.ts'
import { createHttpServer } from './http/server.ts'
import { openLedger } from './ledger.ts'

const LEDGER = 1
const READ_CONNECTIONS_MAX = 8

const config = readServeConfig(process.env)
const log = pino({ name: 'ledger', level: config.logLevel })
const pool = createPool({ url: config.databaseUrl, max: READ_CONNECTIONS_MAX, name: 'ledger-read' })
const { databaseUrl, clock } = config
const parts = openLedger({ ledger: LEDGER, databaseUrl, pool, clock, log })

const server = createHttpServer({
  token: config.token,
  log,
  routes: ledgerRoutes({
    ledgers: new Map([[LEDGER, parts]]),
    isHealthy: async () => {
      if (!parts.writer.isReady()) return false
      return pool.query('select 1').then(
        () => true,
        () => false,
      )
    },
  }),
})
server.listen(config.port, config.host, () => {
  log.info({ host: config.host, port: config.port }, 'the ledger listens')
})

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    stop().catch((error) => log.error({ err: error }, 'the ledger did not stop cleanly'))
  })
}

/** Commands already taken are written and answered; the connections end after them. */
async function stop(): Promise<void> {
  log.info('the ledger stops')
  const closed = new Promise((resolve) => server.close(resolve))
  await parts.writer.stop()
  await Promise.race([closed, delay(1_000)])
  server.closeAllConnections()
  await pool.end()
  process.exit()
}
