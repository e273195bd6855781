import type { QueryResponse } from '@cairn/ledger-contracts'
import type pg from 'pg'
import { readEvent } from '../../log/envelope.ts'

/** Limits the answer for a transaction that was reversed many times. */
const EVENTS_MAX = 100

/**
 * Returns the events of one transaction: its request, its events with postings, and its decisions
 * without postings. The index `event_without_postings` finds the decisions without postings.
 */
export async function listTransactionEvents(
  pool: pg.Pool,
  { ledger, transactionId }: { ledger: number; transactionId: string },
): Promise<QueryResponse<'transactionEvents'>> {
  const { rows } = await pool.query<{ bytes: Buffer }>(
    `with found as (
       select investor_id, seq, last_seq from ledger.transaction
       where ledger_id = $1 and transaction_id = $2
     ), places as (
       select unnest(array[seq, last_seq]) as seq from found
       union select event.seq from ledger.event
         where ledger_id = $1
           and type in ('DepositDeclined', 'WithdrawalHeld')
           and substring(encode(bytes, 'escape') from '"transactionId":"([0-9a-z]+)"') = $2
       union select posting.seq from found join ledger.posting
         on posting.ledger_id = $1
           and posting.account >= 'investor:' || investor_id || ':'
           and posting.account < 'investor:' || investor_id || ';'
           and posting.seq between found.seq and found.last_seq
     )
     select bytes from ledger.event
     where ledger_id = $1 and seq in (select seq from places)
       and position('"transactionId":"' || $2 || '"' in encode(bytes, 'escape')) > 0
     order by seq limit $3`,
    [ledger, transactionId, EVENTS_MAX],
  )
  return { events: rows.map(({ bytes }) => readEvent(bytes)) }
}
