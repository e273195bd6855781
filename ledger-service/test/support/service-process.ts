import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createLedgerClient, type LedgerClient } from '@cairn/ledger-contracts'
import { findFreePort } from '@cairn/local/free-port'

export const TEST_TOKEN = 'test-token-'.repeat(4)
const STARTING_MS_MAX = 240_000
const POLL_MS = 20

/** The ledger service as a separate process that can be killed and restarted on its port. */
export interface ServiceProcess {
  readonly port: number
  readonly client: LedgerClient
  start(): Promise<void>
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
  /** Suspends the process with SIGSTOP or resumes it with SIGCONT. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  /** Waits until the process has ended. Returns the signal that ended it. */
  ended(): Promise<NodeJS.Signals | null>
  /** Returns all lines that the process has logged, including the lines from before a restart. */
  readLog(): string
}

export async function startServiceProcess(options: {
  /** Omitted if the environment names a directory. */
  databaseUrl?: string
  environment?: Readonly<Record<string, string>>
  /** The program with its arguments. By default, the ledger service. */
  program?: readonly string[]
}): Promise<ServiceProcess> {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const folder = await mkdtemp(join(tmpdir(), 'cairn-checkpoints-'))
  const program = options.program ?? [join(import.meta.dirname, '../../src/serve.ts')]
  let child: ChildProcess
  let logged = ''

  async function start(): Promise<void> {
    child = spawn(process.execPath, [...program], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'test',
        LOG_LEVEL: 'fatal',
        SERVICE_TOKEN: TEST_TOKEN,
        ...(options.databaseUrl === undefined ? {} : { LEDGER_DATABASE_URL: options.databaseUrl }),
        LEDGER_PORT: String(port),
        LEDGER_SIGNING_KEY_FILE: join(folder, 'key.pem'),
        LEDGER_CHECKPOINT_DIR: folder,
        ...options.environment,
      },
    })
    // If a failed test does not end the process, an inherited output would keep the test runner
    // from exiting.
    child.stderr?.pipe(process.stderr, { end: false })
    child.stdout?.on('data', (chunk: Buffer) => {
      logged += chunk.toString()
    })
    const deadline = performance.now() + STARTING_MS_MAX
    while (performance.now() < deadline) {
      if (await isHealthy(url)) return
      if (child.exitCode !== null) throw new Error('the ledger ended before it was ready')
      await delay(POLL_MS)
    }
    throw new Error('the ledger did not start')
  }

  async function waitUntilEnded(): Promise<NodeJS.Signals | null> {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    return child.signalCode
  }

  await start()
  return {
    port,
    client: createLedgerClient({ url, token: TEST_TOKEN }),
    start,
    ended: waitUntilEnded,
    readLog: () => logged,
    signal: (signal) => void child.kill(signal),
    end: async (signal) => {
      child.kill(signal)
      await waitUntilEnded()
    },
  }
}

function isHealthy(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  )
}
