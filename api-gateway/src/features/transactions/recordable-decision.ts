import type { LedgerTransaction } from '@cairn/ledger-contracts'
import { createInvalidFieldFailure } from '../../platform/http/failure.ts'

interface Deciding {
  reason: string | null
  /** True if the decision reverses an earlier decision. */
  isReversal: boolean
}
export type Decision =
  | (Deciding & { to: 'declined' })
  | (Deciding & {
      to: 'success'
      payoutReference: string | null
      payoutOption: string | null
      approvedMinor: bigint | null
    })

/**
 * Throws 400 if the decision has a part that its event would not record. Without this check, the
 * caller would read the answer as a confirmation of this part.
 */
export function requireRecordableDecision(found: LedgerTransaction, decision: Decision): void {
  const isDecided = found.status !== 'pending'
  if (isDecided && decision.reason === null) {
    throw createInvalidFieldFailure('reason', 'A reversal needs a reason')
  }
  if (decision.to !== 'success') return
  const { approvedMinor, payoutReference } = decision
  if (found.type === 'withdrawal' && approvedMinor !== null) {
    const message = 'The amount of a withdrawal cannot be changed. Omit this field.'
    throw createInvalidFieldFailure('approvedAmount', message)
  }
  if (isDecided && approvedMinor !== null && approvedMinor !== found.amountMinor) {
    const message = 'A reversal has the amount of the earlier decision. Omit this field.'
    throw createInvalidFieldFailure('approvedAmount', message)
  }
  // A deposit has no payout, so a reference with its approval says nothing.
  if (payoutReference !== null && isDecided && found.type === 'withdrawal') {
    const message = 'A reversal cannot record a payout reference. Omit this field.'
    throw createInvalidFieldFailure('payoutReference', message)
  }
}
