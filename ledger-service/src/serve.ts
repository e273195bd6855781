import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { readServeConfig } from './config.ts'
import { createPool, untilDatabase } from './database/pool.ts'
import { type LedgerParts, ledgerRoutes } from './http/routes.ts'
import { createHttpServer } from './http/server.ts'
import { openLedger } from './ledger.ts'
import { crashingStore } from './log/crash-points.ts'
import type { Store } from './log/store.ts'
import { meteredStore } from './metrics/metered-store.ts'
import { gauge, renderMetrics, startMetrics } from './metrics/metrics.ts'
import { selfCheck } from './proofs/self-check.ts'
import { openSigningKey, readOrMakeKey } from './proofs/signing-key.ts'

const READ_CONNECTIONS_MAX = 8
const LINGER_MS = 1_000
const IDLE_LOOK_MS = 50

const config = readServeConfig(process.env)
const log = pino({ name: 'ledger', level: config.logLevel })
await untilDatabase({ url: config.databaseUrl, name: 'ledger-start', log })
const pool = createPool({ url: config.databaseUrl, max: READ_CONNECTIONS_MAX, name: 'ledger-read' })
const pem = config.signingKeyPem ?? (await readOrMakeKey(config.signingKeyFile))
const ledgers = new Map<number, LedgerParts>()
for (let ledger = 1; ledger <= config.ledgers; ledger += 1) ledgers.set(ledger, await open(ledger))

let isStopping = false
startMetrics()
gauge({
  name: 'cairn_ledger_queue_depth',
  help: 'Commands that wait for the writer',
  read: () => [...ledgers.values()].reduce((sum, { writer }) => sum + writer.queued(), 0),
})
const server = createHttpServer({
  token: config.token,
  log,
  routes: {
    'GET /metrics': async () => ({ status: 200, body: null, text: await renderMetrics() }),
    ...ledgerRoutes({
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
server.listen(config.port, config.host, () => {
  log.info({ host: config.host, port: config.port }, 'the ledger listens')
})

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    stop().catch((error) => log.error({ err: error }, 'the ledger did not stop cleanly'))
  })
}

async function open(ledger: number): Promise<LedgerParts> {
  const { databaseUrl, clock, address, token, crashFile } = config
  const key = openSigningKey({ pem, origin: `${config.origin}/${ledger}` })
  const checkpointFile = join(config.checkpointDir, `ledger-${ledger}.txt`)
  const problems = await selfCheck({ pool, ledger, key, checkpointFile })
  if (problems.length > 0) {
    for (const problem of problems) log.fatal({ ledger }, problem)
    process.stderr.write(`ledger ${ledger} refuses to start:\n  ${problems.join('\n  ')}\n`)
    process.exit(1)
  }
  const election = { address, token }
  const parts = { ledger, databaseUrl, pool, key, checkpointFile, clock, log, election }
  if (crashFile === null) return openLedger({ ...parts, wrapStore: meteredStore })
  return openLedger({ ...parts, wrapStore: (store: Store) => crashingStore(store, crashFile) })
}

/** Commands already taken are written and answered; the connections end after them. */
async function stop(): Promise<void> {
  isStopping = true
  log.info('the ledger stops')
  const closed = new Promise((resolve) => server.close(resolve))
  // A caller who keeps a connection would go on asking over it.
  const looking = setInterval(() => server.closeIdleConnections(), IDLE_LOOK_MS)
  await Promise.all([...ledgers.values()].map((parts) => parts.stop()))
  await Promise.race([closed, delay(LINGER_MS)])
  clearInterval(looking)
  server.closeAllConnections()
  await pool.end()
  process.exit()
}
