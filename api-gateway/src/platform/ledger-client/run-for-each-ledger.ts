import { FurtherLedgerUnreachable } from './further-ledger-unreachable.ts'

/**
 * Calls `run` for each ledger at the same time. A ledger that does not answer keeps no other one
 * from its run. Throws afterwards, so that the failure is logged and the next call tries again.
 */
export async function runForEachLedger<Ledger>(
  ledgers: readonly Ledger[],
  run: (ledger: Ledger) => Promise<void>,
): Promise<void> {
  const outcomes = await Promise.allSettled(ledgers.map(run))
  const failures = outcomes.flatMap((outcome): unknown[] =>
    outcome.status === 'rejected' ? [outcome.reason] : [],
  )
  if (failures.length > 0) throw new AggregateError(failures, 'the run of some ledgers failed')
}

/**
 * Returns true if the error says only that further ledgers do not answer. Such an error does not
 * make a process unhealthy, because a restart would not bring the ledgers back.
 */
export function isOnlyFurtherLedgers(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isOnlyFurtherLedgers)
  return error instanceof FurtherLedgerUnreachable
}
