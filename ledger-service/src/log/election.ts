import { setTimeout as delay } from 'node:timers/promises'
import {
  type Answer,
  type Command,
  createLedgerClient,
  type Lane,
  wasNeverSent,
} from '@cairn/ledger-contracts'
import type pg from 'pg'
import type { Logger } from 'pino'
import { connectClient } from '../service/database/pool.ts'
import type { Writer } from './writer.ts'

export interface ElectionOptions {
  ledger: number
  databaseUrl: string
  /** Where the other instances reach this one, and with what. */
  address: string
  token: string
  log: Logger
  /** Makes the writer, once this instance is the active one. */
  openWriter(): Writer
  /** Told when the log has grown by another instance's doing. */
  onGrown(): void
}

const POLL_MS = 300
const ELECTION_MS_MAX = 4_000
/** 'cair': one lock a ledger, beside whatever else uses advisory locks in this database. */
const LOCK_SPACE = 0x63616972

/**
 * The writer of whichever instance is active: this one's own while it holds the ledger's advisory
 * lock, else the other's over HTTP. The lock only keeps two from fighting; when it fails, as after a
 * lost connection, the fence still lets one of them write.
 */
export function createElectedWriter(options: ElectionOptions): Writer {
  const { ledger, address, token, log } = options
  let lock: pg.Client | null = null
  let own: Writer | null = null
  let active: { address: string; size: bigint } | null = null
  let isStopping = false

  async function poll(): Promise<void> {
    lock ??= await connectClient({
      url: options.databaseUrl,
      name: `ledger-${ledger}-lock`,
      pipeline: false,
    })
    // Asking again for a lock that is held only counts it twice.
    if (await takesLock(lock, ledger)) {
      if (own !== null) return
      await claim(lock, { ledger, address })
      own = options.openWriter()
      log.info({ ledger, address }, 'this instance is the active one')
      return
    }
    const found = await findActive(lock, ledger)
    if (found !== null && active !== null && found.size > active.size) options.onGrown()
    active = found
    if (own === null) return
    const left = own
    own = null
    log.warn({ ledger }, 'another instance has become the active one')
    await left.stop()
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      await poll().catch(async (error) => {
        log.error({ err: error }, 'the election has no database')
        await lock?.end().catch(() => {})
        lock = null
      })
      await delay(POLL_MS)
    }
  }
  const running = run()

  return {
    queued: () => own?.queued() ?? 0,
    isReady: () => own?.isReady() ?? (active !== null && active.address !== address),
    submit: (commands, lane) => {
      if (own !== null) return own.submit(commands, lane)
      return onceElected(commands, lane)
    },
    stop: async () => {
      isStopping = true
      await own?.stop()
      await running
      await lock?.end().catch(() => {})
    },
  }

  /** Between two active instances is a moment with none: callers wait for it to pass. */
  async function onceElected(commands: readonly Command[], lane: Lane) {
    for (let waitedMs = 0; waitedMs <= ELECTION_MS_MAX && !isStopping; waitedMs += POLL_MS) {
      if (own !== null) return (await own.submit(commands, lane)) ?? commands.map(nobodyActive)
      if (active !== null && active.address !== address) {
        const answers = await forward(active.address, commands, lane)
        if (answers !== null) return answers
      }
      await delay(POLL_MS)
    }
    return commands.map(nobodyActive)
  }

  /** Null: the active instance listens no more, and what it holds will soon be free. */
  async function forward(url: string, commands: readonly Command[], lane: Lane) {
    const other = createLedgerClient({ url, token, ledger })
    return other.submitMany(commands, lane).catch((error) => {
      if (wasNeverSent(error)) return null
      throw error
    })
  }
}

async function takesLock(client: pg.Client, ledger: number): Promise<boolean> {
  const held = await client.query(
    `select 1 from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()
     and classid = $1 and objid = $2`,
    [LOCK_SPACE, ledger],
  )
  if (held.rows.length > 0) return true
  const { rows } = await client.query<{ got: boolean }>(
    'select pg_try_advisory_lock($1, $2) as got',
    [LOCK_SPACE, ledger],
  )
  return rows[0]?.got === true
}

async function claim(
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

function nobodyActive(): Answer {
  const message = 'No instance of this ledger is active yet; nothing was recorded'
  return { outcome: 'failed', code: 'UNAVAILABLE', message }
}
