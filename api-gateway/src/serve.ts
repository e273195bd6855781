import { existsSync } from 'node:fs'
import type { LedgerClient } from '@cairn/ledger-contracts'
import { announceRelease } from '@cairn/service-kit/announce-release'
import { createDiskGauge } from '@cairn/service-kit/disk-space'
import { trustAuthorities } from '@cairn/service-kit/service-tls'
import { startTracing } from '@cairn/service-kit/tracing/start-tracing'
import { waitForDatabase } from '@cairn/service-kit/wait-for-database'
import { pino } from 'pino'
import { createChangeRegistry } from './change-kinds.ts'
import { finishChanges } from './features/change-requests/execute.ts'
import { repeatErasures } from './features/closing/repeat-erasures.ts'
import { createBackupGauges } from './features/jobs/backup-runs.ts'
import { findSessionPermissions } from './features/sessions/sessions.ts'
import { createGateway } from './gateway.ts'
import { readServeConfig } from './platform/config.ts'
import { openDatabases } from './platform/database/database.ts'
import type { Dependencies } from './platform/dependencies.ts'
import { wrapWithPrivateTexts } from './platform/erasure/private-text.ts'
import { createImageQueue } from './platform/files/image-queue.ts'
import { createObjectStore } from './platform/files/object-store.ts'
import { drainServer, listen } from './platform/http/server.ts'
import { createSharedRateLimiter } from './platform/http/shared-rate-limit.ts'
import { repeat } from './platform/jobs/repeat.ts'
import { createWorkerClient } from './platform/jobs/worker-client.ts'
import { createKeyRing } from './platform/keys/key-ring.ts'
import { createOutboxSeal } from './platform/keys/seal.ts'
import { connectLedger } from './platform/ledger-client/connect.ts'
import { createLedgerHomes } from './platform/ledger-client/ledger-homes.ts'
import { createSiteClient } from './platform/ledger-client/site-client.ts'
import { claimLedger } from './platform/ledger-client/site-ledger.ts'
import { createSiteLedgers } from './platform/ledger-client/site-ledgers.ts'
import { traceCommands } from './platform/ledger-client/trace-commands.ts'
import { listenForChanges } from './platform/live/change-listener.ts'
import { createLive } from './platform/live/live.ts'
import { registerGauge, registerLabelledGauge, startMetrics } from './platform/metrics/metrics.ts'
import { createSettings } from './platform/settings-store/site-settings.ts'
import { createAllRoutes } from './routes.ts'

const STOP_AFTER_MS = 5_000
/**
 * Pause between two runs of the job that expires change requests and carries out interrupted
 * requests.
 */
const CHANGES_PAUSE_MS = 5_000

const config = readServeConfig(process.env)
trustAuthorities(config.authorities)
const log = pino({ name: 'gateway', level: config.logLevel })
const tracer = await startTracing(config.tracing, { name: 'cairn-gateway', log })
const { db, nested } = openDatabases({
  url: config.databaseUrl,
  applicationName: 'cairn-gateway',
  onError: (error) => log.warn({ err: error }, 'an idle database connection broke'),
})
await waitForDatabase({ url: config.databaseUrl, log })
await announceRelease({ url: config.databaseUrl, log })
await claimLedger(db, config.ledger)
const { isDemo, publicUrl } = config
const { ledgerUrls: urls, serviceToken: token } = config
const clients = new Map<number, LedgerClient>()
const homes = createLedgerHomes(nested, config.clock)
const ledgers = createSiteLedgers({
  first: config.ledger,
  connect,
  homes,
  trace: (client) => traceCommands(client, log),
})
const ledger = createSiteClient(ledgers)
const live = createLive({
  clock: config.clock,
  ledgers,
  log,
  findPermissions: (sessionHash) =>
    findSessionPermissions(db, { sessionHash, nowMs: config.clock.now() }),
})
const changeListener = listenForChanges({
  url: config.databaseUrl,
  log,
  onChange: live.sendToPages,
})
const deps: Dependencies = {
  db,
  live,
  objects: config.objectStore === null ? null : createObjectStore(config.objectStore),
  images: createImageQueue(),
  settings: createSettings(nested, { isDemo, publicUrl }),
  ledger,
  ledgers,
  connectLedger: connect,
  clock: config.clock,
  seal: createOutboxSeal(createKeyRing(config.keys.outbox)),
  sessionKeys: createKeyRing(config.keys.session),
  factorKeys: createKeyRing(config.keys.factor),
  publicUrl,
  isDemo,
  mailUiUrl: config.mailUiUrl,
  backupDir: config.backupDir,
  rateLimitScale: config.rateLimitScale,
  sharedRates: createSharedRateLimiter({ db, scale: config.rateLimitScale }),
  workers: config.workerUrls.map((url) => createWorkerClient({ url, token: config.serviceToken })),
}
const erased = await repeatErasures(deps, config.clock.now())
if (erased > 0)
  log.warn({ count: erased }, 'deleted again the people whom the restored backup contained')
if (config.webDist !== null && !config.isWebBuiltLater && !existsSync(config.webDist)) {
  throw new Error(
    `WEB_DIST names ${config.webDist}, which does not exist: build the web pages first`,
  )
}
const registry = createChangeRegistry(deps)
const gateway = createGateway(
  deps,
  {
    webDist: config.webDist,
    trustProxyHops: config.trustProxyHops,
    readyUrls: [
      config.ledgerUrls.map((url) => new URL('/healthz', url).href),
      ...config.readyUrls.map((url) => [url]),
    ],
    routes: createAllRoutes(deps, log, registry),
    metricsTokens: config.metricsTokens,
    inProgressMax: config.inProgressMax,
    tracer,
  },
  log,
)
startMetrics()
if (config.backupDir !== null) {
  createBackupGauges(config.backupDir, config.clock.now).forEach(registerGauge)
  registerLabelledGauge(createDiskGauge('backups', config.backupDir))
}
/** Each ledger has one client, which keeps its connections. */
function connect(ledger: number): LedgerClient {
  const client =
    clients.get(ledger) ??
    wrapWithPrivateTexts(connectLedger({ urls, ledger, token, tracer }), nested)
  clients.set(ledger, client)
  return client
}

const stopping = new AbortController()
const changes = repeat({
  name: 'change requests',
  pauseMs: CHANGES_PAUSE_MS,
  signal: stopping.signal,
  log,
  run: () => finishChanges({ ...deps, registry }, { nowMs: config.clock.now(), log }),
})
const server = await listen(gateway, config)
log.info({ host: config.host, port: config.port }, 'listening')

async function stop(signal: string): Promise<void> {
  log.info({ signal }, 'stopping')
  setTimeout(() => process.exit(1), STOP_AFTER_MS).unref()
  // Event streams must be closed first, because the server otherwise waits for them without end.
  stopping.abort()
  await live.stop()
  await changes.stopped
  await drainServer(server)
  await changeListener.stop()
  await Promise.all([db.destroy(), nested.destroy()])
  await tracer?.stop()
  process.exit(0)
}
process.once('SIGTERM', () => stop('SIGTERM'))
process.once('SIGINT', () => stop('SIGINT'))
