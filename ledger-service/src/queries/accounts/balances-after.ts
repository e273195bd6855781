import { type QueryRequest, type QueryResponse, Wallet } from '@cairn/ledger-contracts'
import type pg from 'pg'

interface Row {
  transaction_id: string
  wallet: string
  balance_after_minor: bigint
}

/**
 * Returns the balance of the wallet after each settled transaction, as stored in the posting that
 * changed the wallet. For a withdrawal, this is normally the posting of the request. If a later
 * decision changed the wallet again, it is the posting of that decision.
 */
export async function listBalancesAfter(
  pool: pg.Pool,
  { ledger, investorIds, transactionIds }: QueryRequest<'balancesAfter'> & { ledger: number },
): Promise<QueryResponse<'balancesAfter'>> {
  const { rows } = await pool.query<Row>({
    name: 'balances-after',
    text: `select transaction_id, wallet, balance_after_minor
           from (
             select *, case type when 'deposit' then 'balance' else method end as wallet
             from ledger.transaction
             where ledger_id = $1 and transaction_id = any($2) and status = 'success'
               and investor_id = any($3)
           ) as settled
           cross join lateral (
             select balance_after_minor from ledger.posting
             where ledger_id = $1 and account = 'investor:' || investor_id || ':' || wallet
               and posting.seq in (settled.seq, last_seq)
             order by posting.seq desc, leg desc limit 1
           ) as moved`,
    values: [ledger, transactionIds, investorIds],
  })
  return {
    balances: rows.map((row) => ({
      transactionId: row.transaction_id,
      wallet: Wallet.parse(row.wallet),
      balanceMinor: row.balance_after_minor,
    })),
  }
}
