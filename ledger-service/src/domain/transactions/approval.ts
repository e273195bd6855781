import type { Context, Refusal } from '../../log/model.ts'
import { refuse } from '../../log/model.ts'
import type { View } from '../../log/view.ts'
import { isDualControlOn, needsSecondApproval } from '../rules/money-rules.ts'
import type { Transaction } from './transaction.ts'

type Approved = Pick<Transaction, 'amountMinor' | 'firstApprovedBy' | 'firstApprovedMinor'>
type Step = 'first' | 'final' | { refusal: Refusal }

/**
 * From the threshold on, the first approval is only recorded and another administrator's decides, on
 * exactly the amount of the first one.
 */
export function approvalStep(
  view: View,
  { amountMinor, firstApprovedBy, firstApprovedMinor }: Approved,
  { actor }: Context,
): Step {
  if (!isDualControlOn(view)) return 'final'
  if (firstApprovedMinor !== null && firstApprovedMinor !== amountMinor) {
    const message = 'The first approval was of another amount: approve exactly that, or decline'
    return refuse('APPROVAL_DIFFERS', message, { approvedMinor: String(firstApprovedMinor) })
  }
  if (!needsSecondApproval(view, amountMinor)) return 'final'
  if (firstApprovedBy === null) return 'first'
  if (firstApprovedBy !== actor) return 'final'
  return refuse('SECOND_APPROVER_NEEDED', 'Another administrator has to approve this too')
}

/**
 * While a threshold is set, an administrator does not reverse their own decision; from the threshold on
 * a reversal takes two administrators, of whom the one who made the decision may be the second.
 */
export function reversalStep(
  view: View,
  found: Approved & Pick<Transaction, 'decidedBy'>,
  context: Context,
): Step {
  const isOwn = found.decidedBy === context.actor && found.firstApprovedBy === null
  if (isOwn && isDualControlOn(view)) {
    return refuse('SECOND_APPROVER_NEEDED', 'Another administrator has to reverse this decision')
  }
  return approvalStep(view, found, context)
}
