import type { Answer } from '@cairn/ledger-contracts'

/**
 * Makes `count` calls, at most `inFlight` at the same time. The outcome of a call that throws
 * counts as unknown.
 */
export async function runTraffic(
  { count, inFlight }: { count: number; inFlight: number },
  call: (index: number) => Promise<Answer>,
): Promise<{ recorded: number; refused: number; failed: number; unknown: number }> {
  const outcomes = { recorded: 0, refused: 0, failed: 0, unknown: 0 }
  let next = 0
  async function callInLoop(): Promise<void> {
    while (next < count) {
      const index = next
      next += 1
      const outcome = await call(index).then(
        (answer) => answer.outcome,
        () => 'unknown' as const,
      )
      outcomes[outcome] += 1
    }
  }
  await Promise.all(Array.from({ length: inFlight }, callInLoop))
  return outcomes
}
