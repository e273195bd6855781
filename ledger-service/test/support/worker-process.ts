import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '@cairn/local/free-port'
import { TEST_TOKEN } from './service-process.ts'

const STARTING_MS_MAX = 240_000

/** The ledger worker as a separate process that can be killed or suspended. */
export interface WorkerProcess {
  signal(signal: NodeJS.Signals): void
  /** Waits until the process has ended. Returns its exit code, or null if a signal ended it. */
  waitUntilEnded(): Promise<number | null>
}

export async function startWorkerProcess(options: {
  databaseUrl: string
  ledgerUrl: string
  clockFile: string
}): Promise<WorkerProcess> {
  const port = await findFreePort()
  const child: ChildProcess = spawn(
    process.execPath,
    [new URL('../../src/work.ts', import.meta.url).pathname],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'test',
        LOG_LEVEL: 'silent',
        SERVICE_TOKEN: TEST_TOKEN,
        CAIRN_CLOCK_FILE: options.clockFile,
        LEDGER_WORKER_DATABASE_URL: options.databaseUrl,
        LEDGER_URL: options.ledgerUrl,
        WORKER_PORT: String(port),
      },
    },
  )
  // If a failed test does not end the process, the inherited output would keep the test runner from
  // exiting.
  child.stderr?.pipe(process.stderr, { end: false })
  const deadline = performance.now() + STARTING_MS_MAX
  for (;;) {
    const isHealthy = await fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isHealthy) break
    if (performance.now() > deadline) throw new Error('the worker did not start')
    await delay(50)
  }
  return {
    signal: (signal) => void child.kill(signal),
    waitUntilEnded: async () => {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      return child.exitCode
    },
  }
}
