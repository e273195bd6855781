import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createLedgerClient, type LedgerClient } from '@cairn/ledger-contracts'
import { findFreePort } from '@cairn/local/free-port'
import { requireRecordedAnswers, type Send } from './books.ts'
import { createPlainFetch } from './plain-fetch.ts'
import type { BenchDatabase } from './server.ts'

/** The ledger service, in a separate process as in production. */
export interface Service {
  readonly pid: number
  readonly port: number
  readonly token: string
  readonly client: LedgerClient
  readonly send: Send
  stop(): Promise<void>
}

const READY_MS = 20_000

/** Starts the service. All services of a database sign with the same key. */
export async function startService(
  { ledgerUrl, keyFolder }: BenchDatabase,
  environment: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const token = randomBytes(24).toString('hex')
  const port = await findFreePort()
  const main = join(import.meta.dirname, '..', 'src', 'serve.ts')
  const child = spawn(process.execPath, [main], {
    // The service logs errors only. A row that fails because of one must show it.
    stdio: ['ignore', 2, 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
      LEDGER_DATABASE_URL: ledgerUrl,
      LEDGER_PORT: String(port),
      SERVICE_TOKEN: token,
      LEDGER_SIGNING_KEY_FILE: join(keyFolder, 'key.pem'),
      LEDGER_CHECKPOINT_DIR: join(keyFolder, 'checkpoints'),
      ...environment,
    },
  })
  const killChild = () => void child.kill('SIGKILL')
  process.once('exit', killChild)
  const url = `http://127.0.0.1:${port}`
  await waitUntilHealthy(url, child)
  const client = createLedgerClient({ url, token, fetch: createPlainFetch() })
  return {
    // The process is healthy, so it has an id.
    pid: child.pid ?? 0,
    port,
    token,
    client,
    send: async (commands, lane) => {
      const answers = await client.submitMany(commands, lane)
      requireRecordedAnswers(answers)
      return answers
    },
    stop: async () => {
      await endChild(child)
      process.off('exit', killChild)
    },
  }
}

async function waitUntilHealthy(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + READY_MS
  while (Date.now() < deadline && child.exitCode === null) {
    const isHealthy = await fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isHealthy) return
    await delay(50)
  }
  await endChild(child)
  throw new Error('the ledger service did not become healthy; its output is above')
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}
