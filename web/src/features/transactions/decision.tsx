import { Button } from '../../shared/ui/button.tsx'
import { Approve, type UsualAccount } from './approve-step.tsx'
import { Decline } from './decline-step.tsx'
import type { Transaction } from './queries.ts'
import { Reverse } from './reversal-step.tsx'
import { SecondApproval } from './second-approval.tsx'
import { describePayment } from './transaction-labels.ts'

type DecisionProps = {
  transaction: Transaction
  action: string | null
  usualAccount: UsualAccount
  onAction: (action: 'approve' | 'decline' | null) => void
  /** True while the first buttons ignore the pointer. The keyboard always works. */
  isSettling: boolean
  /**
   * The component calls this function after the transaction was approved or declined, with a
   * sentence that names the result.
   */
  onDecided: (outcome: string) => void
}

/**
 * Offers the decisions on a transaction. Each decision takes two clicks: the first click shows the
 * effect of the decision.
 */
export function TransactionDecision(props: DecisionProps) {
  const { transaction, action, usualAccount, isSettling, onAction, onDecided } = props
  const settling = isSettling ? 'pointer-events-none opacity-60' : undefined
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
  if (action === 'approve' && status === 'pending' && transaction.isApprovedOnce) {
    return <SecondApproval transaction={transaction} onBack={goBack} onDone={onDecided} />
  }
  if (action === 'approve' && status === 'pending') {
    return (
      <Approve
        transaction={transaction}
        usualAccount={usualAccount}
        onBack={goBack}
        onDone={onDecided}
      />
    )
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
      {transaction.type === 'withdrawal' && (
        <p className="w-full text-14">{describePayment(transaction)}</p>
      )}
      <Button look="danger" className={settling} onClick={() => onAction('decline')}>
        Decline
      </Button>
      <Button look="primary" className={settling} onClick={() => onAction('approve')}>
        Approve{transaction.isApprovedOnce && ' as the second'}
      </Button>
    </>
  )
}
