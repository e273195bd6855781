import {
  formatTrialBalance,
  openTrialBalance,
  ProofError,
  type VerifierKey,
} from '@cairn/ledger-contracts/proof'
import type pg from 'pg'
import { type ClosedMonth, readClosedMonths } from './closed-months.ts'
import { listVerifierKeys, openKeysOrFirst } from './log-keys.ts'

/** A signed trial balance of a month. */
export interface SignedMonth {
  month: string
  size: bigint
  note: string
  keys: readonly VerifierKey[]
}

/** The signed trial balances and the events that close months. */
export interface MonthEnds {
  signed: readonly SignedMonth[]
  closed: readonly ClosedMonth[]
}

/**
 * Returns a map. Each key is a size of the log, and its value lists the months that ended at this
 * size. Several months end at the same size if a month has no events.
 */
export async function readMonthEnds(
  client: pg.ClientBase,
  ledger: number,
): Promise<ReadonlyMap<bigint, MonthEnds>> {
  const keys = openKeysOrFirst(await listVerifierKeys(client, ledger))
  const { rows } = await client.query<Omit<SignedMonth, 'keys'>>(
    'select month, size, note from ledger.trial_balance where ledger_id = $1 order by month',
    [ledger],
  )
  const signed = Map.groupBy(
    rows.map((row) => ({ ...row, keys })),
    ({ size }) => size,
  )
  const closed = Map.groupBy(await readClosedMonths(client, { ledger }), ({ size }) => size)
  return new Map(
    [...new Set([...signed.keys(), ...closed.keys()])].map((size) => [
      size,
      { signed: signed.get(size) ?? [], closed: closed.get(size) ?? [] },
    ]),
  )
}

interface LogState {
  root: Buffer
  totals: ReadonlyMap<string, bigint>
}

/** Compares a signed trial balance with the root and the sums of the events up to its size. */
export async function findMonthProblems(
  { month, size, note, keys }: SignedMonth,
  found: LogState,
): Promise<readonly string[]> {
  try {
    const { checkpoint, ...signed } = await openTrialBalance(note, keys)
    const isSame = checkpoint.size === size && found.root.equals(checkpoint.root)
    const signedTotals = formatTrialBalance(signed.month, signed.totals).join()
    if (isSame && signedTotals === formatTrialBalance(month, found.totals).join()) return []
    return [`the trial balance of ${month} differs from the sums of the first ${size} events`]
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    return [`the trial balance of ${month}: ${error.message}`]
  }
}

/**
 * Compares an event that closes a month with the root and the sums of the events up to its size.
 * Returns null if they agree.
 */
export function findClosedMonthProblem(
  { month, root, totals }: ClosedMonth,
  found: LogState,
): string | null {
  if (root !== found.root.toString('hex'))
    return `names a root that differs from the log at the end of ${month}`
  const isSame =
    formatTrialBalance(month, totals).join() === formatTrialBalance(month, found.totals).join()
  return isSame ? null : `names sums for ${month} that the events before its end do not give`
}
