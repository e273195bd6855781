import type pg from 'pg'
import { getFollowingMonth, getMonthEndMs } from '../domain/months/month.ts'
import type { MonthEnds } from './signed-months.ts'

/**
 * Finds month ends that are not where the month ends, and months whose signed trial balance is
 * missing. Root and sums would agree with any size of the log, so the times of the events around
 * a month end are compared with the month.
 */
export async function findMonthSpanProblems(
  client: pg.ClientBase,
  { ledger, months }: { ledger: number; months: ReadonlyMap<bigint, MonthEnds> },
): Promise<readonly string[]> {
  const ends = [...months].flatMap(([size, { signed, closed }]) =>
    [...signed, ...closed].map(({ month }) => ({ month, size })),
  )
  const times = await readTimesAround(client, { ledger, sizes: [...months.keys()] })
  const spans = ends.flatMap(({ month, size }) => {
    const problem = findSpanProblem(month, times.get(size))
    return problem === null ? [] : [`the end of ${month} after ${size} events: ${problem}`]
  })
  const missing = listMissingMonths([...months.values()])
  return [...new Set(spans), ...missing.map((month) => `the trial balance of ${month} is missing`)]
}

/** Lists the unsigned months from the first to the last month that was signed or closed. */
function listMissingMonths(ends: readonly MonthEnds[]): readonly string[] {
  const signed = new Set(ends.flatMap((end) => end.signed.map(({ month }) => month)))
  const closed = ends.flatMap((end) => end.closed.map(({ month }) => month))
  const known = [...signed, ...closed].toSorted()
  const [first, last] = [known[0], known.at(-1)]
  const missing: string[] = []
  if (first === undefined || last === undefined) return missing
  for (let month = first; month <= last; month = getFollowingMonth(month)) {
    if (!signed.has(month)) missing.push(month)
  }
  return missing
}

/** The times, in milliseconds since 1970, of the events before and after a size of the log. */
interface TimesAround {
  lastAtMs: number | null
  nextAtMs: number | null
}

function findSpanProblem(month: string, times: TimesAround | undefined): string | null {
  const { lastAtMs = null, nextAtMs = null } = times ?? {}
  const endMs = getMonthEndMs(month)
  if (lastAtMs !== null && lastAtMs >= endMs) return 'an event before it is of a later month'
  if (nextAtMs !== null && nextAtMs < endMs) return 'an event after it is of this month'
  return null
}

async function readTimesAround(
  client: pg.ClientBase,
  { ledger, sizes }: { ledger: number; sizes: readonly bigint[] },
): Promise<ReadonlyMap<bigint, TimesAround>> {
  const { rows } = await client.query<TimesAround & { size: bigint }>(
    `select size,
       (select recorded_at from ledger.event where ledger_id = $1 and seq = size - 1) as "lastAtMs",
       (select recorded_at from ledger.event where ledger_id = $1 and seq = size) as "nextAtMs"
     from unnest($2::bigint[]) as size`,
    [ledger, sizes],
  )
  return new Map(rows.map(({ size, ...times }) => [size, times]))
}
