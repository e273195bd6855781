import { type Handover, openHandover, ProofError } from '@cairn/ledger-contracts/proof'
import { refuse } from '../../log/model.ts'
import { type Decider, record } from '../decider.ts'
import { refuseRotation } from './key-rotation.ts'

/**
 * Records changes of the signing key. The command is refused if a handover is not signed by its old
 * key. It is also refused unless `reason` is set exactly when the last handover declares a loss of
 * events (a fork). While dual control is required, a replacement without a valid permission is
 * refused. A fork needs no permission, because a platform that lost events cannot start without the
 * fork.
 */
export const replaceSigningKey: Decider<'ReplaceSigningKey'> = {
  needs: () => [],
  decide: ({ handovers, reason }, view, context) => {
    const opened = openHandovers(handovers)
    if (typeof opened === 'string') return refuse('handoverInvalid', { why: opened })
    const isFork = opened.at(-1)?.lost !== null
    if (isFork !== (reason !== null)) {
      return refuse('handoverInvalid', { why: 'a reason belongs to a loss of events' })
    }
    if (reason !== null) {
      return record({ type: 'LogForked', data: { handovers, reason } }, context)
    }
    for (const handover of opened) {
      const refused = refuseRotation(view, handover, context.recordedAtMs)
      if (refused !== null) return refused
    }
    return record({ type: 'SigningKeyReplaced', data: { handovers } }, context)
  },
}

/** The chain of keys is not a projection. It is read from the events. */
export function applyKeyReplaced(): void {}

/** Returns the parsed handovers, or a sentence about the first problem. */
function openHandovers(lines: readonly string[]): readonly Handover[] | string {
  try {
    return lines.map(openHandover)
  } catch (error) {
    if (error instanceof ProofError) return error.message
    throw error
  }
}
