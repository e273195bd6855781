import { setTimeout as delay } from 'node:timers/promises'
import type { Command } from '@cairn/ledger-contracts'
import type { Clock } from '@cairn/service-kit/clock'
import { CLOCK_DIFFERENCE_MAX_MS } from '../../log/head.ts'

/**
 * Waits until the clock has reached the time of each approval. The gateway states these times, and
 * its clock can be slightly ahead; the ledger refuses approvals from the future for ever. Times
 * beyond the permitted difference of clocks are left to this refusal.
 */
export async function waitForApprovalTimes(
  commands: readonly Command[],
  clock: Clock,
): Promise<void> {
  const nowMs = clock.now()
  const waits = commands
    .flatMap(({ approval }) => approval?.approvals ?? [])
    .map(({ approvedAt }) => Date.parse(approvedAt) - nowMs)
    .filter((waitMs) => waitMs > 0 && waitMs <= CLOCK_DIFFERENCE_MAX_MS)
  // A timer can end up to a millisecond early.
  if (waits.length > 0) await delay(Math.max(...waits) + 1)
}
