import { findDecidingRun, type Verification } from '@cairn/gateway-contracts'
import { formatCount } from '@cairn/gateway-contracts/counted'

type Run = Pick<Verification, 'state' | 'startedAt' | 'since' | 'done'>

export type LedgerLook =
  | { look: 'agrees' | 'differs'; verifiedAt: string; verifiedTo: bigint }
  | { look: 'running' | 'unverified' | 'unknown'; verifiedAt: null }

/**
 * Returns what the verifications say about the ledger. Only a run with a result shows that the
 * ledger agrees. `verifiedTo` is the number of events up to which the ledger was verified. `runs` has
 * the newest run first, and is undefined if the runs could not be loaded.
 */
export function findLedgerLook(runs: readonly Run[] | undefined): LedgerLook {
  if (runs === undefined) return { look: 'unknown', verifiedAt: null }
  const result = findDecidingRun(runs)
  if (result !== null) {
    const verifiedTo = BigInt(result.since) + BigInt(result.done)
    return { look: result.state, verifiedAt: result.startedAt, verifiedTo }
  }
  const isRunning = runs[0]?.state === 'running'
  return { look: isRunning ? 'running' : 'unverified', verifiedAt: null }
}

/**
 * Says up to which event the ledger adds up. `signed` is the number of events of the newest known
 * checkpoint. The ledger can have more events, so the words do not say that it adds up as a whole.
 */
export function describeVerifiedPart(verifiedTo: bigint, signed: string | null): string {
  const isBehind = signed !== null && BigInt(signed) > verifiedTo
  const total = isBehind ? ` of ${formatCount(signed)}` : ''
  return `Ledger adds up: ${formatCount(verifiedTo)}${total} ${verifiedTo === 1n && !isBehind ? 'event' : 'events'}`
}
