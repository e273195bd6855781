/**
 * Returns a query for the numbers of the events of transactions, except decisions with postings that
 * came between the first and the last event. `condition` selects rows of `ledger.transaction`, and
 * `$1` is the ledger. The row does not have the numbers of decisions without postings. `offset 0`
 * makes the server look up those of one request after another in the index `event_without_postings`;
 * a join could read the whole log.
 */
export function selectOuterSeqs(condition: string): string {
  return `select unnest(array[seq, last_seq]) as seq from ${selectFound(condition)}
    union select decided.seq
      from ${selectFound(`type in ('deposit', 'withdrawal') and ${condition}`)}
      cross join lateral (
        select event.seq from ledger.event as event
        where event.ledger_id = $1 and event.type in ('DepositDeclined', 'WithdrawalHeld')
          and substring(encode(event.bytes, 'escape') from '"transactionId":"([0-9a-z]+)"')
            = found.transaction_id collate "default"
        offset 0) as decided`
}

/**
 * Returns a query for the numbers of all events of transactions. It reads the postings of the
 * investor between the first and the last event, so `condition` should select one transaction.
 */
export function selectAllSeqs(condition: string): string {
  return `${selectOuterSeqs(condition)}
    union select event.seq from ${selectFound(condition)}
      join ledger.posting as posting on posting.ledger_id = $1
        and posting.account >= 'investor:' || found.investor_id || ':'
        and posting.account < 'investor:' || found.investor_id || ';'
        and posting.seq between found.seq and found.last_seq
      join ledger.event as event on event.ledger_id = $1 and event.seq = posting.seq
        and position('"transactionId":"' || found.transaction_id || '"'
          in encode(event.bytes, 'escape')) > 0`
}

function selectFound(condition: string): string {
  return `(select transaction_id, investor_id, seq, last_seq from ledger.transaction
      where ledger_id = $1 and ${condition}) as found`
}
