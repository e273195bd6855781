import type { QueryResponse } from '@cairn/ledger-contracts'
import type pg from 'pg'
import { readEvent } from '../../log/envelope.ts'
import { selectAllSeqs } from './transaction-seqs.ts'

/** Limits the answer for a transaction that was reversed many times. */
const EVENTS_MAX = 100

/** Returns the events of one transaction that name it, oldest first. */
export async function listTransactionEvents(
  pool: pg.Pool,
  { ledger, transactionId }: { ledger: number; transactionId: string },
): Promise<QueryResponse<'transactionEvents'>> {
  const { rows } = await pool.query<{ bytes: Buffer }>(
    `select bytes from ledger.event
     where ledger_id = $1 and seq in (${selectAllSeqs('transaction_id = $2')})
       and position('"transactionId":"' || $2 || '"' in encode(bytes, 'escape')) > 0
     order by seq limit $3`,
    [ledger, transactionId, EVENTS_MAX],
  )
  return { events: rows.map(({ bytes }) => readEvent(bytes)) }
}
