import {
  formatTrialBalance,
  openTrialBalance,
  ProofError,
  parseVerifierKey,
  type VerifierKey,
} from '@cairn/ledger-contracts/proof'
import type pg from 'pg'
import { followingMonth } from './month.ts'
import { listVerifierKeys } from './receipts.ts'

export interface SignedMonth {
  month: string
  size: bigint
  note: string
  keys: readonly VerifierKey[]
  /** The one signed before it: every month is signed in its turn. */
  before: string | null
}

/** By the size of the log when they ended: after a quiet month two have the same. */
export async function readSignedMonths(
  client: pg.PoolClient,
  ledger: number,
): Promise<ReadonlyMap<bigint, readonly SignedMonth[]>> {
  const keys = (await listVerifierKeys(client, ledger)).map(parseVerifierKey)
  const { rows } = await client.query<Omit<SignedMonth, 'keys' | 'before'>>(
    'select month, size, note from ledger.trial_balance where ledger_id = $1 order by month',
    [ledger],
  )
  return Map.groupBy(
    rows.map((row, index) => ({ ...row, keys, before: rows[index - 1]?.month ?? null })),
    ({ size }) => size,
  )
}

/** Whether what was signed is what the events up to there add up to. */
export async function monthProblems(
  { month, size, note, keys, before }: SignedMonth,
  found: { root: Buffer; totals: ReadonlyMap<string, bigint> },
): Promise<readonly string[]> {
  if (before !== null && followingMonth(before) !== month) {
    return [`the trial balance of ${followingMonth(before)} is missing`]
  }
  try {
    const { checkpoint, ...signed } = await openTrialBalance(note, keys)
    const isSame = checkpoint.size === size && found.root.equals(checkpoint.root)
    const said = formatTrialBalance(signed.month, signed.totals).join()
    if (isSame && said === formatTrialBalance(month, found.totals).join()) return []
    return [`the trial balance of ${month} is not what the first ${size} events add up to`]
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    return [`the trial balance of ${month}: ${error.message}`]
  }
}
