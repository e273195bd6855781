import type { QueryResponse } from '@cairn/ledger-contracts'
import type pg from 'pg'
import type { Checkpoints } from '../../proofs/checkpoints.ts'
import { toLoggedEvent } from './events.ts'

interface Row {
  bytes: Buffer
  leaf_hash: Buffer
}

/** Returns one event and its bytes, with its receipt if a checkpoint covers it. */
export async function findEvent(
  { pool, checkpoints }: { pool: pg.Pool; checkpoints: Checkpoints },
  { ledger, seq }: { ledger: number; seq: bigint },
): Promise<QueryResponse<'event'>> {
  const [{ rows }, head] = await Promise.all([
    pool.query<Row>('select bytes, leaf_hash from ledger.event where ledger_id = $1 and seq = $2', [
      ledger,
      seq,
    ]),
    pool.query<{ size: bigint }>('select size from ledger.head where ledger_id = $1', [ledger]),
  ])
  const size = head.rows[0]?.size ?? 0n
  const [row] = rows
  if (row === undefined) {
    return { event: null, bytes: '', receipt: null, verifierKeys: [], size }
  }
  return {
    event: toLoggedEvent(row),
    bytes: row.bytes.toString('utf8'),
    receipt: await checkpoints.readReceipt(seq),
    verifierKeys: [...(await checkpoints.listVerifierKeys())],
    size,
  }
}
