import { findDecidingRun, type Verification } from '@cairn/gateway-contracts'
import { formatCount, formatCounted } from '@cairn/gateway-contracts/counted'

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
 * Says how many events add up, and how many newer events are in the newest known checkpoint.
 * `signed` is the number of events of that checkpoint. The ledger can have more events, so the words
 * do not say that it adds up as a whole.
 */
export function describeVerifiedPart(verifiedTo: bigint, signed: string | null): string {
  const newer = signed === null ? 0n : BigInt(signed) - verifiedTo
  const words = `Ledger adds up: ${formatCounted(verifiedTo, 'event')}`
  return newer > 0n ? `${words}, ${formatCount(newer)} unverified` : words
}
