import { findNewestResult, type Verification } from '@cairn/gateway-contracts'

type Run = Pick<Verification, 'state' | 'startedAt'>

export type LedgerLook =
  | { look: 'agrees' | 'differs'; verifiedAt: string }
  | { look: 'running' | 'unverified' | 'unknown'; verifiedAt: null }

/**
 * Returns what the verifications say about the ledger. Only a run with a result shows that the
 * ledger agrees. `runs` has the newest run first, and is undefined if the runs could not be loaded.
 */
export function findLedgerLook(runs: readonly Run[] | undefined): LedgerLook {
  if (runs === undefined) return { look: 'unknown', verifiedAt: null }
  const result = findNewestResult(runs)
  if (result !== null) return { look: result.state, verifiedAt: result.startedAt }
  const isRunning = runs[0]?.state === 'running'
  return { look: isRunning ? 'running' : 'unverified', verifiedAt: null }
}
