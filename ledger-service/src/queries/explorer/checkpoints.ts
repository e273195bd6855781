import type { QueryRequest, QueryResponse } from '@cairn/ledger-contracts'
import type pg from 'pg'
import { listVerifierKeys } from '../../proofs/log-keys.ts'

interface Row {
  size: bigint
  root: Buffer
  note: string
  signed_at: number
}

/** Returns the signed checkpoints, newest first. */
export async function listCheckpoints(
  pool: pg.Pool,
  { ledger, before, limit }: QueryRequest<'checkpoints'> & { ledger: number },
): Promise<QueryResponse<'checkpoints'>> {
  const { rows } = await pool.query<Row>(
    `select size, root, note, signed_at from ledger.checkpoint
     where ledger_id = $1 and ($2::bigint is null or size < $2) order by size desc limit $3`,
    [ledger, before, limit],
  )
  return {
    checkpoints: rows.map(({ size, root, note, signed_at }) => ({
      size,
      root: root.toString('hex'),
      note,
      signedAt: new Date(signed_at).toISOString(),
    })),
    verifierKeys: [...(await listVerifierKeys(pool, ledger))],
  }
}
