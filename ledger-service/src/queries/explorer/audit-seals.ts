import { type AuditSeal, eventData, type QueryRequest } from '@cairn/ledger-contracts'
import type pg from 'pg'
import { readEvent } from '../../log/envelope.ts'

/** Reads the seals from the bytes of the events, which `verify` checks. */
export async function listAuditSeals(
  pool: pg.Pool,
  { ledger, after, limit }: QueryRequest<'auditSeals'> & { ledger: number },
): Promise<readonly AuditSeal[]> {
  const { rows } = await pool.query<{ bytes: Buffer }>(
    `select bytes from ledger.event
     where ledger_id = $1 and seq > $2 and type = 'AuditSealed' order by seq limit $3`,
    [ledger, after ?? -1n, limit],
  )
  return rows.map(({ bytes }) => {
    const { seq, data, recordedAt } = readEvent(bytes)
    const { count, head } = eventData.AuditSealed.parse(data)
    return { seq, count, head, sealedAt: recordedAt }
  })
}
