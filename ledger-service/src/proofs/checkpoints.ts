import type { Clock } from '@cairn/service-kit/clock'
import type pg from 'pg'
import type { Logger } from 'pino'
import { appendCheckpoint } from './checkpoint-file.ts'
import { computeHeadAt } from './prove.ts'
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
}

export function createCheckpoints(options: CheckpointOptions): Checkpoints {
  const { ledger, pool, log } = options
  let timer: NodeJS.Timeout | null = null
  let signing: Promise<void> = Promise.resolve()

  function signSoon(): void {
    if (timer !== null) return
    timer = setTimeout(() => {
      timer = null
      signing = signing
        .then(() => signHead(options))
        .catch((error) => log.error({ err: error }, 'the checkpoint could not be signed'))
    }, INTERVAL_MS)
  }

  return {
    notifyAppended: signSoon,
    latest: () => findLatestCheckpoint(pool, ledger),
    verifierKeys: () => listVerifierKeys(pool, ledger),
    receipt: async (seq) => {
      const found = await buildReceipt(pool, { ledger, seq })
      if (found !== null) return found
      await signHead(options)
      const signed = await buildReceipt(pool, { ledger, seq })
      if (signed === null) throw new Error(`no checkpoint covers event ${seq}`)
      return signed
    },
    stop: async () => {
      if (timer !== null) clearTimeout(timer)
      await signing
      await signHead(options).catch((error) =>
        log.error({ err: error }, 'the last checkpoint could not be signed'),
      )
    },
  }
}

/**
 * Signs the current head. The checkpoint is written to the file first, so that every stored
 * checkpoint is also in the file.
 */
async function signHead({ ledger, pool, key, file, clock }: CheckpointOptions): Promise<void> {
  const { size, root: hex } = await computeHeadAt(pool, { ledger, size: null })
  if (size === 0n) return
  const known = await pool.query(
    'select 1 from ledger.checkpoint where ledger_id = $1 and size = $2',
    [ledger, size],
  )
  if (known.rows.length > 0) return

  const root = Buffer.from(hex, 'hex')
  const note = key.signCheckpoint({ size, root })
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
