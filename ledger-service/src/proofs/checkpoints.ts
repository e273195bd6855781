import type { Clock } from '@cairn/service-kit/clock'
import type pg from 'pg'
import type { Logger } from 'pino'
import { confirmVisible } from '../service/database/confirmed.ts'
import { appendCheckpoint } from './checkpoint-file.ts'
import {
  buildReceipt,
  findLatestCheckpoint,
  listVerifierKeys,
  type StoredCheckpoint,
} from './receipts.ts'
import type { SigningKey } from './signing-key.ts'

export interface Checkpoints {
  /** Schedules a checkpoint of the head. At most one is made per second. */
  notifyAppended(): void
  latest(): Promise<StoredCheckpoint | null>
  /** Returns the receipt of an event, under the first checkpoint that covers it. */
  receipt(seq: bigint): Promise<string>
  verifierKeys(): Promise<readonly string[]>
  stop(): Promise<void>
}

const INTERVAL_MS = 1_000

interface CheckpointOptions {
  ledger: number
  pool: pg.Pool
  key: SigningKey
  /** A file outside the database. It shows whether an older state of the database was restored. */
  file: string
  clock: Clock
  log: Logger
  /** Waits until what was visible is durable. A sabotaged twin replaces it. */
  confirm?: (pool: pg.Pool) => Promise<void>
}

export function createCheckpoints(options: CheckpointOptions): Checkpoints {
  const { ledger, pool, log } = options
  let timer: NodeJS.Timeout | null = null
  let signing: Promise<void> = Promise.resolve()
  let isStopping = false

  /** Signs after a signature that is still running, so that at most one connection waits. */
  function sign(): Promise<void> {
    signing = signing.catch(() => {}).then(() => signHead(options))
    return signing
  }

  function signSoon(): void {
    if (timer !== null || isStopping) return
    timer = setTimeout(() => {
      timer = null
      sign().catch((error) => {
        log.error({ err: error }, 'the checkpoint could not be signed; it is tried again')
        signSoon()
      })
    }, INTERVAL_MS)
  }

  return {
    notifyAppended: signSoon,
    latest: () => findLatestCheckpoint(pool, ledger),
    verifierKeys: () => listVerifierKeys(pool, ledger),
    receipt: async (seq) => {
      const found = await buildReceipt(pool, { ledger, seq })
      if (found !== null) return found
      await sign()
      const signed = await buildReceipt(pool, { ledger, seq })
      if (signed === null) throw new Error(`no checkpoint covers event ${seq}`)
      return signed
    },
    stop: async () => {
      isStopping = true
      if (timer !== null) clearTimeout(timer)
      await sign().catch((error) =>
        log.error({ err: error }, 'the last checkpoint could not be signed'),
      )
    },
  }
}

/**
 * Signs the size and root that the last batch stored in the head, not a root that is computed from
 * rows, because rows can have been changed since. The head is confirmed before it is signed, so no
 * checkpoint outlives its events. The checkpoint is written to the file first, so that every stored
 * checkpoint is also in the file.
 */
async function signHead(options: CheckpointOptions): Promise<void> {
  const { ledger, pool, key, file, clock, confirm = confirmVisible } = options
  const head = await findUnsignedHead(pool, ledger)
  if (head === null) return
  await confirm(pool)
  const { size, root } = head
  const note = key.signCheckpoint(head)
  await appendCheckpoint(file, note)
  const signedAt = new Date(clock.now()).toISOString()
  await pool.query(
    `insert into ledger.log_key (ledger_id, verifier_key, first_used_at) values ($1, $2, $3)
     on conflict do nothing`,
    [ledger, key.verifierKey, signedAt],
  )
  await pool.query(
    `insert into ledger.checkpoint (ledger_id, size, root, note, signed_at)
     values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [ledger, size, root, note, signedAt],
  )
}

async function findUnsignedHead(
  pool: pg.Pool,
  ledger: number,
): Promise<{ size: bigint; root: Buffer } | null> {
  const { rows } = await pool.query<{ size: bigint; root: Buffer }>(
    `select size, root from ledger.head
     where ledger_id = $1 and size > 0 and not exists (
       select from ledger.checkpoint as signed
       where signed.ledger_id = head.ledger_id and signed.size = head.size)`,
    [ledger],
  )
  return rows[0] ?? null
}
