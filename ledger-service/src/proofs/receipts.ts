import { formatReceipt } from '@cairn/ledger-contracts/proof'
import type pg from 'pg'
import { proveInclusion } from './prove.ts'

export interface StoredCheckpoint {
  size: bigint
  note: string
}

export async function findLatestCheckpoint(
  pool: pg.Pool,
  ledger: number,
): Promise<StoredCheckpoint | null> {
  const { rows } = await pool.query<StoredCheckpoint>(
    `select size, note from ledger.checkpoint where ledger_id = $1
     order by size desc limit 1`,
    [ledger],
  )
  return rows[0] ?? null
}

/**
 * Returns the receipt of an event, or null if no checkpoint covers the event. The receipt always
 * uses the first checkpoint that covers the event, so that the receipt never changes. Throws a
 * RangeError for an unknown event.
 */
export async function buildReceipt(
  pool: pg.Pool,
  { ledger, seq }: { ledger: number; seq: bigint },
): Promise<string | null> {
  const { rows } = await pool.query<{ bytes: Buffer }>(
    'select bytes from ledger.event where ledger_id = $1 and seq = $2',
    [ledger, seq],
  )
  const event = rows[0]?.bytes
  if (event === undefined) throw new RangeError(`there is no event ${seq}`)
  const covering = await pool.query<StoredCheckpoint>(
    `select size, note from ledger.checkpoint where ledger_id = $1 and size > $2
     order by size limit 1`,
    [ledger, seq],
  )
  const [checkpoint] = covering.rows
  if (checkpoint === undefined) return null
  const { path } = await proveInclusion(pool, { ledger, seq, size: checkpoint.size })
  const hashes = path.map((hash) => Buffer.from(hash, 'hex'))
  return formatReceipt({ event, index: seq, path: hashes, checkpoint: checkpoint.note })
}
