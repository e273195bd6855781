import {
  formatTrialBalance,
  openTrialBalance,
  ProofError,
  type VerifierKey,
} from '@cairn/ledger-contracts/proof'
import type pg from 'pg'
import { listVerifierKeys, openKeysOrFirst } from './log-keys.ts'
import { getFollowingMonth } from './month.ts'

export interface SignedMonth {
  month: string
  size: bigint
  note: string
  keys: readonly VerifierKey[]
  /** The last month that was signed before this month, or null. It must be the preceding month. */
  before: string | null
}

/**
 * Returns the signed months by the size of the log at their end. Several months can have the same
 * size, because a month can be without events.
 */
export async function readSignedMonths(
  client: pg.PoolClient,
  ledger: number,
): Promise<ReadonlyMap<bigint, readonly SignedMonth[]>> {
  const keys = openKeysOrFirst(await listVerifierKeys(client, ledger))
  const { rows } = await client.query<Omit<SignedMonth, 'keys' | 'before'>>(
    'select month, size, note from ledger.trial_balance where ledger_id = $1 order by month',
    [ledger],
  )
  return Map.groupBy(
    rows.map((row, index) => ({ ...row, keys, before: rows[index - 1]?.month ?? null })),
    ({ size }) => size,
  )
}

/** Compares a signed trial balance with the root and the sums of the events up to its size. */
export async function findMonthProblems(
  { month, size, note, keys, before }: SignedMonth,
  found: { root: Buffer; totals: ReadonlyMap<string, bigint> },
): Promise<readonly string[]> {
  if (before !== null && getFollowingMonth(before) !== month) {
    return [`the trial balance of ${getFollowingMonth(before)} is missing`]
  }
  try {
    const { checkpoint, ...signed } = await openTrialBalance(note, keys)
    const isSame = checkpoint.size === size && found.root.equals(checkpoint.root)
    const signedTotals = formatTrialBalance(signed.month, signed.totals).join()
    if (isSame && signedTotals === formatTrialBalance(month, found.totals).join()) return []
    return [`the trial balance of ${month} is not what the first ${size} events add up to`]
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    return [`the trial balance of ${month}: ${error.message}`]
  }
}
