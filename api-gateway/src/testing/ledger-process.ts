import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createLedgerClient, type LedgerClient } from '@cairn/ledger-contracts'
import { freePort } from '@cairn/local/free-port'
import type { TestDatabase } from '@cairn/local/test-database'

const ROOT = resolve(import.meta.dirname, '..', '..', '..')
const READY_MS = 20_000
const TOKEN = 'a service token for tests, long enough'

/** The ledger service as it runs in production, on a database of the test. */
export async function startLedgerProcess(
  database: TestDatabase,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ clientOf: (ledger: number) => LedgerClient; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-ledger-'))
  const port = await freePort()
  const child = spawn(process.execPath, [join(ROOT, 'ledger-service/src/serve.ts')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      LOG_LEVEL: 'error',
      SERVICE_TOKEN: TOKEN,
      LEDGER_DATABASE_URL: database.urlFor('cairn_ledger'),
      LEDGER_PORT: String(port),
      LEDGER_SIGNING_KEY_FILE: join(folder, 'key.pem'),
      LEDGER_CHECKPOINT_DIR: join(folder, 'checkpoints'),
      ...environment,
    },
  })
  // Passed on, not shared: one that a broken test leaves behind must not hold the runner's output.
  child.stderr?.pipe(process.stderr, { end: false })
  const url = `http://127.0.0.1:${port}`
  await untilHealthy(child, url)
  return {
    clientOf: (ledger) => createLedgerClient({ url, token: TOKEN, ledger }),
    stop: async () => {
      const hasEnded = child.exitCode !== null || child.signalCode !== null
      child.kill('SIGTERM')
      if (!hasEnded) await once(child, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function untilHealthy(child: ChildProcess, url: string): Promise<void> {
  const deadline = performance.now() + READY_MS
  while (performance.now() < deadline && child.exitCode === null) {
    const response = await fetch(`${url}/healthz`).catch(() => null)
    if (response?.ok) return
    await delay(50)
  }
  throw new Error('the ledger did not start')
}
