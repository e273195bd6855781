import { APPROVER_WAIT_HOURS, type LedgerClient } from '@cairn/ledger-contracts'
import { readControls } from '../users/index.ts'

const WAIT_MS = APPROVER_WAIT_HOURS * 3_600_000

/**
 * Returns the time until which the ledger refuses what needs two administrators, because fewer than
 * two approvers are known to it for long enough. Null if there is no such time.
 */
export async function findSecondApprovalTime(
  ledger: LedgerClient,
  nowMs: number,
): Promise<string | null> {
  const { mode, approvers } = await readControls({ ledger })
  if (mode === 'single') return null
  const [, second] = approvers
    .filter(({ isActive }) => isActive)
    .map(({ addedAt }) => Date.parse(addedAt))
    .toSorted((one, other) => one - other)
  if (second === undefined || second + WAIT_MS <= nowMs) return null
  return new Date(second + WAIT_MS).toISOString()
}
