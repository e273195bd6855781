import { type Handover, openHandover, ProofError } from '@cairn/ledger-contracts/proof'
import { refuse } from '../../log/model.ts'
import { type Decider, record } from '../decider.ts'

/**
 * Records changes of the signing key. Refuses a handover that its old key did not sign, and one
 * whose kind is not that of the event.
 */
export const replaceSigningKey: Decider<'ReplaceSigningKey'> = {
  needs: () => [],
  decide: ({ handovers, reason }, _view, context) => {
    const opened = openAll(handovers)
    if (typeof opened === 'string') return refuse('handoverInvalid', { why: opened })
    const isFork = opened.at(-1)?.lost !== null
    if (isFork !== (reason !== null)) {
      return refuse('handoverInvalid', { why: 'a reason belongs to a loss of events' })
    }
    if (reason !== null) {
      return record({ type: 'LogForked', data: { handovers, reason } }, context)
    }
    return record({ type: 'SigningKeyReplaced', data: { handovers } }, context)
  },
}

/** The chain of keys is no projection: it is read from the events. */
export function applyKeyReplaced(): void {}

/** Returns what is wrong instead, if a handover is not valid. */
function openAll(lines: readonly string[]): readonly Handover[] | string {
  try {
    return lines.map(openHandover)
  } catch (error) {
    if (error instanceof ProofError) return error.message
    throw error
  }
}
