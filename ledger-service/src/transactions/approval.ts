import type { Context, Refusal } from '../log/model.ts'
import { refuse } from '../log/model.ts'
import type { View } from '../log/view.ts'
import { needsSecondApproval } from '../rules/money-rules.ts'
import type { Transaction } from './transaction.ts'

/**
 * Four eyes: from the threshold on, the first approval is only recorded and another
 * administrator's decides. The same one twice is refused.
 */
export function approvalStep(
  view: View,
  request: Transaction,
  { actor }: Context,
): 'first' | 'final' | { refusal: Refusal } {
  if (!needsSecondApproval(view, request.amountMinor)) return 'final'
  if (request.firstApprovedBy === null) return 'first'
  if (request.firstApprovedBy !== actor) return 'final'
  return refuse('SECOND_APPROVER_NEEDED', 'Another administrator has to approve this too')
}
