import type { Context, Refusal } from '../../log/model.ts'
import { refuse } from '../../log/model.ts'
import type { View } from '../../log/view.ts'
import { isDualControlOn, needsSecondApproval } from '../rules/money-rules.ts'
import type { Transaction } from './transaction.ts'

type Approved = Pick<Transaction, 'amountMinor' | 'firstApprovedBy' | 'firstApprovedMinor'>
type Step = 'first' | 'final' | { refusal: Refusal }

/**
 * From the approval threshold on, the first approval is only recorded. The approval of another
 * administrator, for the same amount, decides.
 */
export function decideApprovalStep(
  view: View,
  { amountMinor, firstApprovedBy, firstApprovedMinor }: Approved,
  { actor }: Context,
): Step {
  if (!isDualControlOn(view)) return 'final'
  if (firstApprovedMinor !== null && firstApprovedMinor !== amountMinor) {
    return refuse('approvalDiffers', { approvedMinor: String(firstApprovedMinor) })
  }
  if (!needsSecondApproval(view, amountMinor)) return 'final'
  if (firstApprovedBy === null) return 'first'
  if (firstApprovedBy !== actor) return 'final'
  return refuse('otherMustApprove')
}

/**
 * While a threshold is set, administrators cannot reverse their own decisions. From the threshold on,
 * a reversal needs two administrators; the author of the decision may be the second one.
 */
export function decideReversalStep(
  view: View,
  found: Approved & Pick<Transaction, 'decidedBy'>,
  context: Context,
): Step {
  const isOwn = found.decidedBy === context.actor && found.firstApprovedBy === null
  if (isOwn && isDualControlOn(view)) {
    return refuse('otherMustReverse')
  }
  return decideApprovalStep(view, found, context)
}
