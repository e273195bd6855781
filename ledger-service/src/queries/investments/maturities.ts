import type { QueryRequest, QueryResponse } from '@cairn/ledger-contracts'
import type pg from 'pg'

type Maturing = QueryResponse<'maturities'>['overdue']

interface Row {
  /**
   * The number of UTC days from today until the end. -1 means that the end has passed, and `days`
   * means any day after the listed days.
   */
  place: number
  count: bigint
  principal: string
  outstanding: string
}

const DAY_MS = 86_400_000
const NOTHING: Maturing = { count: 0, principalMinor: 0n, outstandingMinor: 0n }

/**
 * For each listed day, counts the active investments that end on this day. Reads them from an
 * index.
 */
export async function findMaturities(
  pool: pg.Pool,
  { ledger, now, days }: QueryRequest<'maturities'> & { ledger: number },
): Promise<QueryResponse<'maturities'>> {
  const today = `${now.slice(0, 10)}T00:00:00.000Z`
  const { rows } = await pool.query<Row>(
    `select case when expires_at <= $2::timestamptz then -1
         else least(floor(extract(epoch from expires_at - $3::timestamptz) / 86400), $4)::int
         end as place,
       count(*) as count, sum(principal_minor)::text as principal,
       sum(promised_minor - credited_minor)::text as outstanding
     from ledger.investment where ledger_id = $1 and status = 'active' group by 1`,
    [ledger, now, today, days],
  )
  const places = new Map(rows.map((row) => [row.place, toMaturing(row)]))
  const byDay = Array.from({ length: days }, (_, place) => ({
    day: new Date(Date.parse(today) + place * DAY_MS).toISOString().slice(0, 10),
    ...(places.get(place) ?? NOTHING),
  }))
  return {
    overdue: places.get(-1) ?? NOTHING,
    byDay,
    later: places.get(days) ?? NOTHING,
  }
}

function toMaturing({ count, principal, outstanding }: Row): Maturing {
  return {
    count: Number(count),
    principalMinor: BigInt(principal),
    outstandingMinor: BigInt(outstanding),
  }
}
