import { Button } from '../../shared/ui/button.tsx'
import { Approve } from './approve-step.tsx'
import { Decline } from './decline-step.tsx'
import type { Transaction } from './queries.ts'
import { Reverse } from './reversal-step.tsx'

type DecisionProps = {
  transaction: Transaction
  action: string | null
  onAction: (action: 'approve' | 'decline' | null) => void
  /** The component calls this function after the transaction was approved or declined. */
  onDecided: () => void
}

/**
 * Offers the decisions on a transaction. Each decision takes two clicks: the first click shows the
 * effect of the decision.
 */
export function TransactionDecision({ transaction, action, onAction, onDecided }: DecisionProps) {
  const goBack = () => onAction(null)
  const { status } = transaction
  // The ledger does not reverse a cancellation. The investor has to make a new request.
  if (transaction.cancelledBy !== null) return null
  if (action === 'approve' && status === 'declined') {
    return <Reverse transaction={transaction} to="approve" onBack={goBack} />
  }
  if (action === 'decline' && status === 'success') {
    return <Reverse transaction={transaction} to="decline" onBack={goBack} />
  }
  if (action === 'approve' && status === 'pending') {
    return <Approve transaction={transaction} onBack={goBack} onDone={onDecided} />
  }
  if (action === 'decline' && status === 'pending') {
    return <Decline transaction={transaction} onBack={goBack} onDone={onDecided} />
  }
  if (status !== 'pending') {
    const to = status === 'success' ? 'decline' : 'approve'
    return <Button onClick={() => onAction(to)}>Reverse this decision</Button>
  }
  return (
    <>
      <Button look="danger" onClick={() => onAction('decline')}>
        Decline
      </Button>
      <Button look="primary" onClick={() => onAction('approve')}>
        Approve{transaction.isApprovedOnce && ' as the second'}
      </Button>
    </>
  )
}
