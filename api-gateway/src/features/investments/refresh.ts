import type { Command } from '@cairn/ledger-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { toServerFailure } from '../../platform/ledger-client/refusal.ts'

const DUE_PER_REFRESH = 1_000

/**
 * Credits the due profit of one investor now instead of with the next run of the worker. A
 * repetition is harmless, because the ledger refuses units that are already credited. Returns the
 * number of investments to which profit was credited.
 */
export async function refreshInvestments(
  deps: Pick<Dependencies, 'ledger'>,
  request: { investorId: string; requestId: string; nowMs: number },
): Promise<number> {
  const { investorId, requestId, nowMs } = request
  const { due } = await deps.ledger.ask('due', {
    now: new Date(nowMs).toISOString(),
    after: null,
    investorId,
    limit: DUE_PER_REFRESH,
  })
  if (due.length === 0) return 0
  const commands = due.map(
    ({ investmentId, units }): Command => ({
      type: 'AccrueThrough',
      data: { investmentId, units },
      actor: `user:${investorId}`,
      key: null,
      requestId,
      effectiveAt: null,
    }),
  )
  const answers = await deps.ledger.submitMany(commands, 'interactive')
  const failed = answers.find((answer) => answer.outcome === 'failed')
  if (failed !== undefined) throw toServerFailure(failed)
  return answers.filter(({ outcome }) => outcome === 'recorded').length
}
