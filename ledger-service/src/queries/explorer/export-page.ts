import type { QueryRequest, QueryResponse } from '@cairn/ledger-contracts'
import type pg from 'pg'
import { EXPORT_FORMAT } from '../../proofs/export.ts'
import { listVerifierKeys } from '../../proofs/log-keys.ts'
import { findLatestCheckpoint } from '../../proofs/receipts.ts'

/** Returns one page of the exported log. The command `export` writes the same lines. */
export async function readExportPage(
  pool: pg.Pool,
  { ledger, next, size, limit }: QueryRequest<'exportPage'> & { ledger: number },
): Promise<QueryResponse<'exportPage'>> {
  const checkpoint = await findLatestCheckpoint(pool, ledger)
  if (checkpoint === null) return { header: null, size: 0n, lines: [] }
  const end = size ?? checkpoint.size
  const { rows } = await pool.query<{ bytes: Buffer }>({
    name: 'export-page',
    text: `select bytes from ledger.event where ledger_id = $1 and seq >= $2 and seq < $3
           order by seq limit $4`,
    values: [ledger, next, end, limit],
  })
  const verifierKeys = await listVerifierKeys(pool, ledger)
  const header = { format: EXPORT_FORMAT, checkpoint: checkpoint.note, verifierKeys }
  return {
    header: size === null ? JSON.stringify(header) : null,
    size: end,
    lines: rows.map(({ bytes }) => bytes.toString('utf8')),
  }
}
