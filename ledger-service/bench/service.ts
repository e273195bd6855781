import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createLedgerClient, type LedgerClient } from '@cairn/ledger-contracts'
import { findFreePort } from '@cairn/local/free-port'
import { requireRecordedAnswers, type Send } from './books.ts'
import { createPlainFetch } from './plain-fetch.ts'

/** The service in a separate process, as in production. */
export interface Service {
  readonly port: number
  readonly token: string
  readonly client: LedgerClient
  readonly send: Send
  stop(): Promise<void>
}

const READY_MS = 20_000

export async function startService(ledgerUrl: string): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-bench-service-'))
  const token = randomBytes(24).toString('hex')
  const port = await findFreePort()
  const main = join(import.meta.dirname, '..', 'src', 'serve.ts')
  const child = spawn(process.execPath, [main], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
      LEDGER_DATABASE_URL: ledgerUrl,
      LEDGER_PORT: String(port),
      SERVICE_TOKEN: token,
      LEDGER_SIGNING_KEY_FILE: join(folder, 'key.pem'),
      LEDGER_CHECKPOINT_DIR: join(folder, 'checkpoints'),
    },
  })
  const killChild = () => void child.kill('SIGKILL')
  process.once('exit', killChild)
  const url = `http://127.0.0.1:${port}`
  await waitUntilHealthy(url, child)
  const client = createLedgerClient({ url, token, fetch: createPlainFetch() })
  return {
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
      await rm(folder, { recursive: true, force: true })
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
