import { useState } from 'react'
import { toast } from 'sonner'

import { messageOf } from '../../api/failure.ts'
import { formatMoney, toMinor } from '../../money/money.ts'
import { Button } from '../../ui/button.tsx'
import { SidePanel } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input, Textarea } from '../../ui/inputs.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type Transaction, useApproveTransaction, useDeclineTransaction } from './queries.ts'
import { TransactionFacts } from './transaction-facts.tsx'
import { ownerOf, transactionTitle } from './transaction-words.ts'

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
        transaction?.status === 'pending' ? (
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
  if (action === 'approve') {
    return <Approve transaction={transaction} onBack={() => onAction(null)} />
  }
  if (action === 'decline') {
    return <Decline transaction={transaction} onBack={() => onAction(null)} />
  }
  return (
    <>
      <Button look="danger" onClick={() => onAction('decline')}>
        Decline
      </Button>
      <Button look="primary" onClick={() => onAction('approve')}>
        Approve
      </Button>
    </>
  )
}

type StepProps = { transaction: Transaction; onBack: () => void }

function Approve({ transaction, onBack }: StepProps) {
  const [payoutReference, setPayoutReference] = useState('')
  const approve = useApproveTransaction()
  const isWithdrawal = transaction.type === 'withdrawal'
  const net = formatMoney(toMinor(transaction.net))
  const { name } = ownerOf(transaction)
  const submit = () => {
    if (approve.isPending) return
    approve.mutate(
      { id: transaction.id, payoutReference },
      {
        onSuccess: () => {
          toast.success(`${transactionTitle(transaction)} approved.`)
          onBack()
        },
      },
    )
  }
  return (
    <div className="grid w-full gap-3">
      <p className="text-14">
        {isWithdrawal
          ? `Approve once ${net} has been paid to ${name}. It leaves the books for good.`
          : `${net} is added to the balance of ${name}.`}
      </p>
      {isWithdrawal && (
        <Field label="Payout reference" optional>
          {(ids) => (
            <Input
              {...ids}
              maxLength={120}
              value={payoutReference}
              onChange={(event) => setPayoutReference(event.target.value)}
            />
          )}
        </Field>
      )}
      {approve.isError && (
        <Notice tone="error">{messageOf(approve.error, 'Failed to approve transaction')}</Notice>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onBack} disabled={approve.isPending}>
          Back
        </Button>
        <Button look="primary" pending={approve.isPending} onClick={submit}>
          {isWithdrawal ? `Approve payout of ${net}` : `Approve and credit ${net}`}
        </Button>
      </div>
    </div>
  )
}

function Decline({ transaction, onBack }: StepProps) {
  const [reason, setReason] = useState('')
  const [isChecked, setChecked] = useState(false)
  const decline = useDeclineTransaction()
  const isMissing = reason.trim() === ''
  const submit = () => {
    setChecked(true)
    if (decline.isPending || isMissing) return
    decline.mutate(
      { id: transaction.id, reason: reason.trim() },
      {
        onSuccess: () => {
          toast.success(`${transactionTitle(transaction)} declined.`)
          onBack()
        },
      },
    )
  }
  return (
    <div className="grid w-full gap-3">
      <Field
        label="Reason"
        hint="The investor reads this sentence."
        error={isChecked && isMissing ? 'Give a reason' : null}
      >
        {(ids) => (
          <Textarea
            {...ids}
            rows={2}
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </Field>
      {decline.isError && (
        <Notice tone="error">{messageOf(decline.error, 'Failed to decline transaction')}</Notice>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onBack} disabled={decline.isPending}>
          Back
        </Button>
        <Button look="danger" pending={decline.isPending} onClick={submit}>
          Decline {formatMoney(toMinor(transaction.amount))}
        </Button>
      </div>
    </div>
  )
}
