import type { QueryRequest, QueryResponse } from '@cairn/ledger-contracts'
import type pg from 'pg'
import { findSeqAt, readBalanceAfter } from './balances.ts'

/**
 * Returns the balance of an account over the events up to `seq` that were effective until
 * `effectiveAtMs`. An event is never effective after it was recorded. The result is therefore the
 * balance recorded at `effectiveAtMs`, plus the postings of events that were recorded after that
 * time but effective before it. Only these postings are summed.
 */
export async function computeEffectiveBalance(
  pool: pg.Pool,
  options: { ledger: number; account: string; seq: bigint; effectiveAtMs: number },
): Promise<bigint> {
  const { ledger, account, seq, effectiveAtMs } = options
  const recordedUntil = await findSeqAt(pool, { ledger, atMs: effectiveAtMs })
  if (recordedUntil >= seq) return readBalanceAfter(pool, { ledger, account, seq })
  const [before, { rows }] = await Promise.all([
    readBalanceAfter(pool, { ledger, account, seq: recordedUntil }),
    pool.query<{ sum: bigint }>({
      name: 'backdated-sum',
      text: `select coalesce(sum(amount_minor), 0)::bigint as sum
             from ledger.event join ledger.posting using (ledger_id, seq)
             where ledger_id = $1 and account = $2 and seq > $3 and seq <= $4
               and effective_at < recorded_at and effective_at <= to_timestamp($5::float8 / 1000)`,
      values: [ledger, account, recordedUntil, seq, effectiveAtMs],
    }),
  ])
  return before + (rows[0]?.sum ?? 0n)
}

export async function findEffectiveBalance(
  pool: pg.Pool,
  { ledger, account, effectiveAt, at }: QueryRequest<'effectiveBalance'> & { ledger: number },
): Promise<QueryResponse<'effectiveBalance'>> {
  const atMs = at === null ? null : Date.parse(at)
  const seq = await findSeqAt(pool, { ledger, atMs })
  const effectiveAtMs = Date.parse(effectiveAt)
  const balanceMinor = await computeEffectiveBalance(pool, { ledger, account, seq, effectiveAtMs })
  return { seq, balanceMinor }
}
