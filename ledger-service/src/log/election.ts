import { setTimeout as delay } from 'node:timers/promises'
import {
  type Answer,
  type Command,
  createLedgerClient,
  type Failed,
  isConnectionRefused,
  type LedgerClient,
  type TraceCall,
} from '@cairn/ledger-contracts'
import type pg from 'pg'
import type { Logger } from 'pino'
import { connectClient } from '../service/database/pool.ts'
import type { Forward } from './forwarding.ts'
import { formatInstanceName } from './instances.ts'
import type { Writer, WriterOptions } from './writer.ts'

export interface ElectionOptions {
  ledger: number
  databaseUrl: string
  /** The URL of this instance for other instances. `token` authorizes calls between instances. */
  address: string
  token: string
  /** The newest version of the rules that this instance knows. */
  modelVersion: number
  log: Logger
  /** Creates the writer when this instance becomes the active instance. */
  openWriter(role: Pick<WriterOptions, 'mayTakeHead' | 'forward' | 'onDeposed'>): Writer
  /** Called when another instance has appended events. */
  onGrown(): void
  /** Traces the calls of the active instance. By default, these calls are not traced. */
  traceCall?: TraceCall
}

const POLL_MS = 300
const ELECTION_MS_MAX = 4_000
/** 'cair' in ASCII, the namespace of these advisory locks. Each ledger has one lock. */
const LOCK_SPACE = 0x63616972

/**
 * While this instance holds the advisory lock of the ledger, uses the local writer. Otherwise sends
 * commands to the active instance over HTTP. If two instances believe that they hold the lock, the
 * fence lets only one of them write.
 */
export function createElectedWriter(options: ElectionOptions): Writer {
  const { ledger, address, token, log, traceCall } = options
  const calling = { token, ledger, ...(traceCall === undefined ? {} : { trace: traceCall }) }
  let lock: pg.Client | null = null
  let localWriter: Writer | null = null
  let active: { address: string; size: bigint } | null = null
  let isStopping = false

  async function pollElection(): Promise<void> {
    lock ??= await connectClient({
      url: options.databaseUrl,
      name: formatInstanceName({ ledger, version: options.modelVersion, address }),
      pipeline: false,
    })
    // If the connection already holds the lock, `tryTakeLock` does not request it again. PostgreSQL
    // counts the requests, and each request would need its own release.
    if (await tryTakeLock(lock, ledger)) {
      if (localWriter !== null) return
      await storeAddress(lock, { ledger, address })
      localWriter = openLocalWriter()
      log.info({ ledger, address }, 'this instance is active')
      return
    }
    const found = await findActive(lock, ledger)
    if (found !== null && active !== null && found.size > active.size) options.onGrown()
    active = found
    if (localWriter === null) return
    const formerWriter = localWriter
    localWriter = null
    log.warn({ ledger }, 'another instance has become active')
    await formerWriter.stop()
  }

  function openLocalWriter(): Writer {
    const opened = options.openWriter({
      // Throws while the state of the lock is unknown, because the database is not available. The
      // writer then tries again.
      mayTakeHead: async () => {
        if (lock === null) throw new Error('the state of the election lock is unknown')
        return tryTakeLock(lock, ledger)
      },
      forward: forwardWhenElected,
      onDeposed: () => {
        if (localWriter === opened) localWriter = null
      },
    })
    return opened
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      await pollElection().catch(async (error) => {
        log.error({ err: error }, 'the database is not available for the election')
        await lock?.end().catch(() => {})
        lock = null
      })
      await delay(POLL_MS)
    }
  }
  const running = run()

  return {
    countQueued: () => localWriter?.countQueued() ?? 0,
    hasRoom: () => localWriter?.hasRoom() ?? true,
    isReady: () => localWriter?.isReady() ?? (active !== null && active.address !== address),
    submit: (commands, lane) => {
      if (localWriter !== null) return localWriter.submit(commands, lane)
      return forwardWhenElected(commands, { lane, isLinked: false })
    },
    submitLinked: (commands, lane) => {
      if (localWriter !== null) return localWriter.submitLinked(commands, lane)
      return forwardWhenElected(commands, { lane, isLinked: true })
    },
    submitDryRun: (commands, lane) => {
      if (localWriter !== null) return localWriter.submitDryRun(commands, lane)
      return submitWhenElected(commands, {
        submitLocally: (writer) => writer.submitDryRun(commands, lane),
        submitRemotely: (client) => client.submitDryRun(commands),
      })
    },
    stop: async () => {
      isStopping = true
      await localWriter?.stop()
      await running
      await lock?.end().catch(() => {})
    },
  }

  function forwardWhenElected(
    commands: readonly Command[],
    { lane, isLinked }: Parameters<Forward>[1],
  ): Promise<readonly Answer[]> {
    return submitWhenElected<Answer>(commands, {
      submitLocally: (writer) => (isLinked ? writer.submitLinked : writer.submit)(commands, lane),
      submitRemotely: (client) =>
        (isLinked ? client.submitLinked : client.submitMany)(commands, lane),
    })
  }

  /** Waits up to `ELECTION_MS_MAX` for an active instance and submits the commands to it. */
  async function submitWhenElected<A>(
    commands: readonly Command[],
    submit: {
      submitLocally(writer: Writer): Promise<readonly A[]> | null
      submitRemotely(client: LedgerClient): Promise<readonly A[]>
    },
  ): Promise<readonly (A | Failed)[]> {
    for (let waitedMs = 0; waitedMs <= ELECTION_MS_MAX && !isStopping; waitedMs += POLL_MS) {
      if (localWriter !== null) {
        return (await submit.submitLocally(localWriter)) ?? commands.map(answerUnavailable)
      }
      if (active !== null && active.address !== address) {
        const client = createLedgerClient({ url: active.address, ...calling })
        const answers = await resolveNullIfNeverSent(submit.submitRemotely(client))
        if (answers !== null) return answers
      }
      await delay(POLL_MS)
    }
    return commands.map(answerUnavailable)
  }
}

/**
 * Returns null if the active instance refuses connections. In this case, that instance is stopping
 * or has ended, so its lock will soon be released.
 */
function resolveNullIfNeverSent<T>(answering: Promise<T>): Promise<T | null> {
  return answering.catch((error) => {
    if (isConnectionRefused(error)) return null
    throw error
  })
}

/**
 * Takes the lock that makes an instance active. Returns false if another connection holds the lock.
 */
export async function tryTakeLock(client: pg.Client, ledger: number): Promise<boolean> {
  const held = await client.query(
    `select 1 from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()
     and classid = $1 and objid = $2`,
    [LOCK_SPACE, ledger],
  )
  if (held.rows.length > 0) return true
  const { rows } = await client.query<{ is_taken: boolean }>(
    'select pg_try_advisory_lock($1, $2) as is_taken',
    [LOCK_SPACE, ledger],
  )
  return rows[0]?.is_taken === true
}

async function storeAddress(
  client: pg.Client,
  { ledger, address }: { ledger: number; address: string },
): Promise<void> {
  await client.query(
    `insert into ledger.active_instance (ledger_id, address, claimed_at) values ($1, $2, now())
     on conflict (ledger_id) do update set address = excluded.address, claimed_at = now()`,
    [ledger, address],
  )
}

async function findActive(
  client: pg.Client,
  ledger: number,
): Promise<{ address: string; size: bigint } | null> {
  const { rows } = await client.query<{ address: string; size: bigint }>(
    `select address, size from ledger.active_instance join ledger.head using (ledger_id)
     where ledger_id = $1`,
    [ledger],
  )
  return rows[0] ?? null
}

function answerUnavailable(): Failed {
  const message = 'No instance of this ledger is active yet; nothing was recorded'
  return { outcome: 'failed', code: 'UNAVAILABLE', message }
}
