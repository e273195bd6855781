import { addDays, type getMaturities, type ResponseOf } from '@cairn/gateway-contracts'
import { type Minor, toMinor } from '../../shared/money/money.ts'

export type DueDay = { day: string; count: number; principal: Minor; profit: Minor }
export type Maturities = ResponseOf<typeof getMaturities>
type Maturing = Maturities['byDay'][number]

/**
 * Converts the amounts to cents. The rows are days in UTC. If today has begun for the reader but not
 * in UTC, what remains of the day in UTC falls due today.
 */
export function toDueDays(rows: readonly Maturing[], today: string): readonly DueDay[] {
  const days = new Map<string, DueDay>()
  for (const row of rows) {
    const day = row.day < today ? today : row.day
    const due = { ...row, day, principal: toMinor(row.principal), profit: toMinor(row.profit) }
    const known = days.get(day)
    days.set(day, known === undefined ? due : { day, ...sumDue([known, due]) })
  }
  return [...days.values()]
}

/** Adds up what falls due on these days. */
export function sumDue(days: readonly DueDay[]): Omit<DueDay, 'day'> {
  return {
    count: days.reduce((sum, { count }) => sum + count, 0),
    principal: days.reduce((sum, { principal }) => sum + principal, 0n),
    profit: days.reduce((sum, { profit }) => sum + profit, 0n),
  }
}

/** Adds up the profit that is promised to all running investments, also after the listed days. */
export function sumPromised({
  overdue,
  byDay,
  later,
}: Pick<Maturities, 'overdue' | 'byDay' | 'later'>): Minor {
  return [overdue, ...byDay, later].reduce((sum, { profit }) => sum + toMinor(profit), 0n)
}

/**
 * Returns one entry for each day from the first to the last, so that a day without a maturity keeps
 * its place on the time axis.
 */
export function fillDueDays(
  days: readonly DueDay[],
  { from, to }: { from: string; to: string },
): readonly DueDay[] {
  const known = new Map(days.map((each) => [each.day, each]))
  const filled: DueDay[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) {
    filled.push(known.get(day) ?? { day, count: 0, principal: 0n, profit: 0n })
  }
  return filled
}
