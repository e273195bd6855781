import { type Answer, describeRefusal } from '@cairn/ledger-contracts'
import type { HashedCommand, Settled } from './entry.ts'

/**
 * Returns the stored answer. If the command has content other than the stored command, returns the
 * refusal `KEY_REUSED`.
 */
export function getStoredAnswer(
  known: Pick<Settled, 'requestHash' | 'answer'>,
  { requestHash }: Pick<HashedCommand, 'requestHash'>,
): Answer {
  if (!known.requestHash.equals(requestHash)) {
    return { outcome: 'refused', ...describeRefusal('keyReused') }
  }
  return known.answer.outcome === 'recorded' ? { ...known.answer, isReplay: true } : known.answer
}
