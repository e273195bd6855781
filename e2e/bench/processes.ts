import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '@cairn/local/free-port'
import { startPostgres } from '@cairn/local/postgres'
import { ensureWeb } from '@cairn/local/web-build'
import { migrate } from '@cairn/migrations'

const ROOT = resolve(import.meta.dirname, '..', '..')
const READY_MS = 30_000

/**
 * The database, the ledger, the gateway and the baseline server. Each is a separate process, as in
 * production.
 */
export interface Processes {
  gatewayUrl: string
  bareUrl: string
  /** The superuser's connection URL. */
  databaseUrl: string
  stop(): Promise<void>
}

export async function startProcesses(): Promise<Processes> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-bench-gateway-'))
  const password = randomBytes(12).toString('hex')
  const token = randomBytes(24).toString('hex')
  const webDist = await ensureWeb({ log: () => {}, onChild: () => {} })
  const server = await startPostgres({
    dataDir: join(folder, 'data'),
    logFile: join(folder, 'postgres.log'),
    password,
    settings: { shared_buffers: '512MB', max_connections: '200' },
  })
  const databaseUrl = server.url()
  const roles = { cairn_ledger: password, cairn_gateway: password }
  await migrate({ databaseUrl, passwords: roles })
  const [ledgerPort, gatewayPort, barePort] = [
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
  ]
  const ledgerUrl = `http://127.0.0.1:${ledgerPort}`
  const common = { NODE_ENV: 'production', LOG_LEVEL: 'error', SERVICE_TOKEN: token }
  const stops = [
    await start('ledger-service/src/serve.ts', `${ledgerUrl}/healthz`, {
      ...common,
      LEDGER_DATABASE_URL: server.url('cairn_ledger', password),
      LEDGER_PORT: String(ledgerPort),
      LEDGER_SIGNING_KEY_FILE: join(folder, 'key.pem'),
      LEDGER_CHECKPOINT_DIR: join(folder, 'checkpoints'),
    }),
    await start('api-gateway/src/serve.ts', `http://127.0.0.1:${gatewayPort}/healthz`, {
      ...common,
      GATEWAY_DATABASE_URL: server.url('cairn_gateway', password),
      LEDGER_URL: ledgerUrl,
      PUBLIC_URL: `http://127.0.0.1:${gatewayPort}`,
      SESSION_SECRET: token,
      FACTOR_KEY: token,
      OUTBOX_KEY: token,
      PORT: String(gatewayPort),
      WEB_DIST: webDist,
      RATE_LIMIT_SCALE: '1000000',
    }),
    await start('e2e/bench/bare-koa.ts', `http://127.0.0.1:${barePort}/`, {
      DATABASE_URL: databaseUrl,
      PORT: String(barePort),
    }),
  ]
  return {
    gatewayUrl: `http://127.0.0.1:${gatewayPort}`,
    bareUrl: `http://127.0.0.1:${barePort}`,
    databaseUrl,
    stop: async () => {
      for (const stop of stops.toReversed()) await stop()
      await server.stop()
      for (const path of [server.dataDir, folder]) await rm(path, { recursive: true, force: true })
    },
  }
}

async function start(
  file: string,
  healthUrl: string,
  env: Record<string, string>,
): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [join(ROOT, file)], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env.PATH, ...env },
  })
  const killChild = () => void child.kill('SIGKILL')
  process.once('exit', killChild)
  const deadline = performance.now() + READY_MS
  for (;;) {
    // Any answer, even an error, proves that the server listens.
    if (
      await fetch(healthUrl).then(
        () => true,
        () => false,
      )
    )
      break
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error(`${file} did not start`)
    await delay(50)
  }
  return async () => {
    process.off('exit', killChild)
    child.kill('SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
}
