import type { QueryRequest, QueryResponse } from '@cairn/ledger-contracts'
import type pg from 'pg'

const READ_MAX = 5_000

interface Row {
  count: bigint
  median_ms: number | null
  p90_ms: number | null
}

/**
 * Returns the median and the 90th percentile of the time from request to decision, in milliseconds.
 * Transactions that their owner cancelled are not counted, nor are reversed ones, of which the
 * ledger keeps only the time of the reversal.
 */
export async function findDecisionTimes(
  pool: pg.Pool,
  { ledger, from, type, method }: QueryRequest<'decisionTimes'> & { ledger: number },
): Promise<QueryResponse<'decisionTimes'>> {
  const { rows } = await pool.query<Row>({
    name: 'decision-times',
    text: `select count(*) as count,
         percentile_disc(0.5) within group (order by waited_ms)::float8 as median_ms,
         percentile_disc(0.9) within group (order by waited_ms)::float8 as p90_ms
       from (
         select round(extract(epoch from decided_at - created_at) * 1000) as waited_ms
         from ledger.transaction
         where ledger_id = $1 and created_at >= $2 and type <> 'transfer' and decided_at is not null
           and ($4::text is null or type = $4) and ($5::text is null or method = $5)
           and status <> 'cancelled'
           and not exists (
             select from ledger.event where event.ledger_id = $1 and event.seq = transaction.last_seq
               and event.type in ('DepositReversed', 'WithdrawalReversed'))
         order by created_at desc limit $3
       ) as decided`,
    values: [ledger, from, READ_MAX, type ?? null, method ?? null],
  })
  const [row] = rows
  return {
    count: Number(row?.count ?? 0n),
    medianMs: row?.median_ms ?? 0,
    p90Ms: row?.p90_ms ?? 0,
  }
}
