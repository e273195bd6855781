import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createLedgerClient, type LedgerClient } from '@cairn/ledger-contracts'
import { findFreePort } from '@cairn/local/free-port'
import type { TestDatabase } from '@cairn/local/test-database'

const ROOT = resolve(import.meta.dirname, '..', '..')
const HOST_FILE = join(ROOT, 'ledger-service/test/support/ledger-host.ts')
const TOKEN = 'test-token-'.repeat(4)

interface LedgerHost {
  /** Resolves with the id of the started service when the service accepts connections. */
  start(service: LedgerSpec): Promise<number>
  stop(id: number): Promise<void>
}

interface LedgerSpec {
  environment: Readonly<Record<string, string>>
  /**
   * The check of dual control that is disabled in the ledger, by its name in
   * `dual-control-holes.ts`. Null if no check is disabled.
   */
  hole: string | null
}

interface HostReply {
  readonly id: number
  readonly error: string | null
}

// The process that all test files of a vitest worker share. The process ends when the worker
// disconnects.
let host: LedgerHost | null = null

export interface LedgerProcess {
  url: string
  createClient: (ledger: number) => LedgerClient
  /** Sets how far the ledger's clock is ahead of the system time. */
  setClockAhead: (ms: number) => Promise<void>
  stop: () => Promise<void>
}

/** Starts the ledger service in a separate process, on the database of a test. */
export async function startLedgerProcess(
  database: TestDatabase,
  { environment = {}, hole = null }: Partial<LedgerSpec> = {},
): Promise<LedgerProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-ledger-'))
  const port = await findFreePort()
  const clockFile = join(folder, 'clock')
  await writeFile(clockFile, '0')
  host ??= startLedgerHost()
  const running = host
  const given = {
    SERVICE_TOKEN: TOKEN,
    LEDGER_DATABASE_URL: database.urlFor('cairn_ledger'),
    LEDGER_PORT: String(port),
    LEDGER_SIGNING_KEY_FILE: join(folder, 'key.pem'),
    LEDGER_CHECKPOINT_DIR: join(folder, 'checkpoints'),
    CAIRN_CLOCK_FILE: clockFile,
  }
  const id = await running.start({ environment: { ...given, ...environment }, hole })
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    createClient: (ledger) => createLedgerClient({ url, token: TOKEN, ledger }),
    setClockAhead: (ms) => writeFile(clockFile, String(ms)),
    stop: async () => {
      await running.stop(id)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function startLedgerHost(): LedgerHost {
  const child: ChildProcess = spawn(process.execPath, [HOST_FILE], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { PATH: process.env.PATH, NODE_ENV: 'test', LOG_LEVEL: 'error' },
  })
  // The child writes its errors to a pipe, so that the test runner can end even if the child is
  // still running.
  child.stderr?.pipe(process.stderr, { end: false })
  // An idle process must not keep the worker running.
  child.unref()
  child.channel?.unref()
  const waiting = new Map<number, (reply: HostReply) => void>()
  let lastId = 0
  child.on('message', (message) => {
    // The cast is safe because only `ledger-host.ts` sends messages here.
    const reply = message as HostReply
    waiting.get(reply.id)?.(reply)
    waiting.delete(reply.id)
  })
  child.once('exit', (code) => {
    host = null
    for (const [id, settle] of waiting) settle({ id, error: `the ledger process ended: ${code}` })
  })
  const request = async (id: number, message: object): Promise<void> => {
    const reply = await new Promise<HostReply>((settle) => {
      waiting.set(id, settle)
      child.send({ ...message, id })
    })
    if (reply.error !== null) throw new Error(reply.error)
  }
  return {
    start: async (service) => {
      lastId += 1
      const id = lastId
      await request(id, { type: 'start', ...service })
      return id
    },
    stop: (id) => request(id, { type: 'stop' }),
  }
}
