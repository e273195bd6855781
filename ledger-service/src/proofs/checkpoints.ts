import { appendFile, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { formatReceipt } from '@cairn/ledger-contracts/proof'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import { headAt, proveInclusion } from './nodes.ts'
import type { SigningKey } from './signing-key.ts'

export interface Checkpoints {
  /** Signs the head soon; at most one checkpoint a second is made. */
  appended(): void
  latest(): Promise<{ size: bigint; note: string } | null>
  /** The `tlog-proof` file of one event, under the first checkpoint that covers it. */
  receipt(seq: bigint): Promise<string>
  verifierKeys(): Promise<readonly string[]>
  stop(): Promise<void>
}

const INTERVAL_MS = 1_000

interface CheckpointOptions {
  ledger: number
  pool: pg.Pool
  key: SigningKey
  /** Outside the database: a database put back to an older state is found out by it. */
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
        .catch((error) => log.error({ err: error }, 'no checkpoint could be signed'))
    }, INTERVAL_MS)
  }

  return {
    appended: signSoon,
    latest: async () => {
      const { rows } = await pool.query<{ size: bigint; note: string }>(
        `select size, note from ledger.checkpoint where ledger_id = $1
         order by size desc limit 1`,
        [ledger],
      )
      return rows[0] ?? null
    },
    receipt: async (seq) => {
      const covering = (await findCovering(pool, { ledger, seq })) ?? (await cover(options, seq))
      const { rows } = await pool.query<{ bytes: Buffer }>(
        'select bytes from ledger.event where ledger_id = $1 and seq = $2',
        [ledger, seq],
      )
      const event = rows[0]?.bytes
      if (event === undefined) throw new RangeError(`there is no event ${seq}`)
      const { path } = await proveInclusion(pool, { ledger, seq, size: covering.size })
      const hashes = path.map((hash) => Buffer.from(hash, 'hex'))
      return formatReceipt({ event, index: seq, path: hashes, checkpoint: covering.note })
    },
    verifierKeys: async () => {
      const { rows } = await pool.query<{ verifier_key: string }>(
        `select verifier_key from ledger.log_key where ledger_id = $1
         order by first_used_at, verifier_key`,
        [ledger],
      )
      return rows.map(({ verifier_key }) => verifier_key)
    },
    stop: async () => {
      if (timer !== null) clearTimeout(timer)
      await signing
      await signHead(options).catch((error) => log.error({ err: error }, 'no last checkpoint'))
    },
  }
}

interface Covering {
  size: bigint
  note: string
}

/** The first checkpoint whose tree holds the event, so that its receipt never changes. */
async function findCovering(
  pool: pg.Pool,
  { ledger, seq }: { ledger: number; seq: bigint },
): Promise<Covering | null> {
  const { rows } = await pool.query<Covering>(
    `select size, note from ledger.checkpoint where ledger_id = $1 and size > $2
     order by size limit 1`,
    [ledger, seq],
  )
  return rows[0] ?? null
}

async function cover(options: CheckpointOptions, seq: bigint): Promise<Covering> {
  await signHead(options)
  const covering = await findCovering(options.pool, { ledger: options.ledger, seq })
  if (covering === null) throw new RangeError(`there is no event ${seq}`)
  return covering
}

/** The file first: what was never outside must not look as if it had been. */
async function signHead({ ledger, pool, key, file, clock }: CheckpointOptions): Promise<void> {
  const { size, root: hex } = await headAt(pool, { ledger, size: null })
  if (size === 0n) return
  const known = await pool.query(
    'select 1 from ledger.checkpoint where ledger_id = $1 and size = $2',
    [ledger, size],
  )
  if (known.rows.length > 0) return

  const root = Buffer.from(hex, 'hex')
  const note = key.signCheckpoint({ size, root })
  await mkdir(dirname(file), { recursive: true })
  await appendFile(file, `${note}\n`, { flush: true })
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
