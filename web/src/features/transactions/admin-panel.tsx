import { Button } from '../../ui/button.tsx'
import { SidePanel } from '../../ui/dialog.tsx'
import { Approve, Decline } from './decision-steps.tsx'
import type { Transaction } from './queries.ts'
import { Reverse } from './reversal-step.tsx'
import { TransactionFacts } from './transaction-facts.tsx'
import { transactionTitle } from './transaction-words.ts'

type PanelProps = {
  transaction: Transaction | null
  action: string | null
  onAction: (action: 'approve' | 'decline' | null) => void
  onClose: () => void
}

export function AdminTransactionPanel({ transaction, action, onAction, onClose }: PanelProps) {
  return (
    <SidePanel
      open={transaction !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={transaction === null ? '' : transactionTitle(transaction)}
      footer={
        transaction !== null && transaction.type !== 'transfer' ? (
          <Decision
            key={transaction.id}
            transaction={transaction}
            action={action}
            onAction={onAction}
          />
        ) : null
      }
    >
      {transaction !== null && <TransactionFacts transaction={transaction} viewer="admin" />}
    </SidePanel>
  )
}

type DecisionProps = {
  transaction: Transaction
  action: string | null
  onAction: PanelProps['onAction']
}

/** A decision takes two presses: what it does stands between them. */
function Decision({ transaction, action, onAction }: DecisionProps) {
  if (action === 'approve' && transaction.status === 'declined') {
    return <Reverse transaction={transaction} to="approve" onBack={() => onAction(null)} />
  }
  if (action === 'decline' && transaction.status === 'success') {
    return <Reverse transaction={transaction} to="decline" onBack={() => onAction(null)} />
  }
  if (action === 'approve' && transaction.status === 'pending') {
    return <Approve transaction={transaction} onBack={() => onAction(null)} />
  }
  if (action === 'decline' && transaction.status === 'pending') {
    return <Decline transaction={transaction} onBack={() => onAction(null)} />
  }
  const isPending = transaction.status === 'pending'
  return (
    <>
      {transaction.status !== 'declined' && (
        <Button look={isPending ? 'danger' : 'secondary'} onClick={() => onAction('decline')}>
          Decline
        </Button>
      )}
      {transaction.status !== 'success' && (
        <Button look={isPending ? 'primary' : 'secondary'} onClick={() => onAction('approve')}>
          Approve
        </Button>
      )}
    </>
  )
}
