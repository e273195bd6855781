import type { QueryRequest, QueryResponse } from '@cairn/ledger-contracts'
import type pg from 'pg'
import { computeTotalsAt } from './past-totals.ts'

interface Place {
  ledger: number
  /** The event after which the balance is read, or -1 for the state before the first event. */
  seq: bigint
}

/** Returns the balance of an account after an event. */
export async function readBalanceAfter(
  pool: pg.Pool,
  { ledger, account, seq }: Place & { account: string },
): Promise<bigint> {
  const { rows } = await pool.query<{ balance_after_minor: bigint }>({
    name: 'balance-at',
    text: `select balance_after_minor from ledger.posting
           where ledger_id = $1 and account = $2 and seq <= $3
           order by seq desc, leg desc limit 1`,
    values: [ledger, account, seq],
  })
  return rows[0]?.balance_after_minor ?? 0n
}

/**
 * Returns the number of the last event recorded at or before `atMs`, or of the newest event if
 * `atMs` is null; -1 if there is no such event. A binary search is possible, because recorded times
 * never decrease.
 */
export async function findSeqAt(
  pool: pg.Pool,
  { ledger, atMs }: { ledger: number; atMs: number | null },
): Promise<bigint> {
  const head = await pool.query<{ size: bigint }>(
    'select size from ledger.head where ledger_id = $1',
    [ledger],
  )
  const size = head.rows[0]?.size ?? 0n
  if (atMs === null) return size - 1n
  let low = 0n
  let high = size
  while (low < high) {
    const middle = (low + high) / 2n
    const { rows } = await pool.query<{ recorded_at: number }>({
      name: 'recorded-at',
      text: 'select recorded_at from ledger.event where ledger_id = $1 and seq = $2',
      values: [ledger, middle],
    })
    if ((rows[0]?.recorded_at ?? 0) <= atMs) low = middle + 1n
    else high = middle
  }
  return low - 1n
}

/** Returns the postings of one account, newest first, each with the balance after the posting. */
export async function listStatement(
  pool: pg.Pool,
  request: QueryRequest<'statement'> & { ledger: number },
): Promise<QueryResponse<'statement'>> {
  const { ledger, account, before, limit, wholeEvents = false } = request
  const { rows } = await pool.query<StatementRow>({
    name: 'statement',
    text: `select * from (
             select seq, leg, type, amount_minor, balance_after_minor, recorded_at, effective_at
             from ledger.posting join ledger.event using (ledger_id, seq)
             where ledger_id = $1 and account = $2 and ($3::bigint is null or seq < $3)
             order by seq desc fetch first $4 rows with ties
           ) as page order by seq desc, leg desc`,
    values: [ledger, account, before, limit],
  })
  const page = wholeEvents ? rows : rows.slice(0, limit)
  const lines = page.map((row) => ({
    seq: row.seq,
    type: row.type,
    amountMinor: row.amount_minor,
    balanceAfterMinor: row.balance_after_minor,
    recordedAt: new Date(row.recorded_at).toISOString(),
    effectiveAt: new Date(row.effective_at).toISOString(),
  }))
  return { lines }
}

interface StatementRow {
  seq: bigint
  type: string
  amount_minor: bigint
  balance_after_minor: bigint
  recorded_at: number
  effective_at: number
}

export async function findBalance(
  pool: pg.Pool,
  { ledger, account, at }: QueryRequest<'balance'> & { ledger: number },
): Promise<QueryResponse<'balance'>> {
  const atMs = at === null ? null : Date.parse(at)
  const seq = await findSeqAt(pool, { ledger, atMs })
  return { seq, balanceMinor: await readBalanceAfter(pool, { ledger, account, seq }) }
}

/** Returns the sum of each account kind over the events recorded until `at`. Null means now. */
export async function findTrialBalance(
  pool: pg.Pool,
  { ledger, at }: QueryRequest<'trialBalance'> & { ledger: number },
): Promise<QueryResponse<'trialBalance'>> {
  if (at === null) return findCurrentTrialBalance(pool, ledger)
  const seq = await findSeqAt(pool, { ledger, atMs: Date.parse(at) })
  return { seq, totals: Object.fromEntries(await computeTotalsAt(pool, { ledger, seq })) }
}

/**
 * Returns the control totals that the writer updates with each event. `verify` compares these
 * totals with the postings.
 */
async function findCurrentTrialBalance(
  pool: pg.Pool,
  ledger: number,
): Promise<QueryResponse<'trialBalance'>> {
  const { rows } = await pool.query<{ size: bigint; kind: string | null; total: bigint | null }>({
    name: 'trial-balance-now',
    text: `select size, substring(name from length('account:') + 1) as kind, amount_minor as total
           from ledger.head left join ledger.control_total
             on control_total.ledger_id = head.ledger_id and name like 'account:%'
           where head.ledger_id = $1 order by name`,
    values: [ledger],
  })
  const totals = rows.flatMap(({ kind, total }) => (kind === null ? [] : [[kind, total ?? 0n]]))
  return { seq: (rows[0]?.size ?? 0n) - 1n, totals: Object.fromEntries(totals) }
}
