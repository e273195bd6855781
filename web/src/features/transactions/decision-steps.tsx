import { useState } from 'react'
import { toast } from 'sonner'

import { fieldErrorsOf, messageOf } from '../../api/failure.ts'
import { formatMoney, parseMoney, toAmountText, toMinor } from '../../money/money.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input, MoneyInput, Textarea } from '../../ui/inputs.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type Transaction, useApproveTransaction, useDeclineTransaction } from './queries.ts'
import { ownerOf, transactionTitle } from './transaction-words.ts'

export type StepProps = { transaction: Transaction; onBack: () => void }

export function Approve({ transaction, onBack }: StepProps) {
  const [payoutReference, setPayoutReference] = useState('')
  const [arrived, setArrived] = useState('')
  const approve = useApproveTransaction()
  const isWithdrawal = transaction.type === 'withdrawal'
  const net = formatMoney(toMinor(transaction.net))
  const { name } = ownerOf(transaction)
  const arrivedMinor = parseMoney(arrived)
  const isOther = !isWithdrawal && arrived.trim() !== ''
  const isReadable = !isOther || (arrivedMinor !== null && arrivedMinor > 0n)
  const submit = () => {
    if (approve.isPending || !isReadable) return
    const approvedAmount =
      isOther && arrivedMinor !== null ? { approvedAmount: toAmountText(arrivedMinor) } : {}
    // The list may drop this step before the answer is told, and with it a callback of `mutate`.
    approve.mutateAsync({ id: transaction.id, payoutReference, ...approvedAmount }).then(
      ({ transaction: { status } }) => {
        toast.success(
          status === 'success'
            ? `${transactionTitle(transaction)} approved.`
            : 'Approved once. A second administrator has to approve it too.',
        )
        onBack()
      },
      () => {},
    )
  }
  return (
    <div className="grid w-full gap-3">
      <p className="text-14">
        {isWithdrawal
          ? `Approve once ${net} has been paid to ${name}. It leaves the books for good.`
          : isOther
            ? `What arrived, after its fee, is added to the balance of ${name}.`
            : `${net} is added to the balance of ${name}.`}
      </p>
      {!isWithdrawal && (
        <Field
          label="Another amount arrived"
          optional
          error={
            (isReadable ? null : 'Enter an amount with at most two decimals') ??
            fieldErrorsOf(approve.error).approvedAmount
          }
        >
          {(ids) => (
            <MoneyInput
              {...ids}
              value={arrived}
              onChange={(event) => setArrived(event.target.value)}
            />
          )}
        </Field>
      )}
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
          {isWithdrawal
            ? `Approve payout of ${net}`
            : isOther
              ? 'Approve and credit what arrived'
              : `Approve and credit ${net}`}
        </Button>
      </div>
    </div>
  )
}

export function Decline({ transaction, onBack }: StepProps) {
  const [reason, setReason] = useState('')
  const [isChecked, setChecked] = useState(false)
  const decline = useDeclineTransaction()
  const isMissing = reason.trim() === ''
  const submit = () => {
    setChecked(true)
    if (decline.isPending || isMissing) return
    decline.mutateAsync({ id: transaction.id, reason: reason.trim() }).then(
      () => {
        toast.success(`${transactionTitle(transaction)} declined.`)
        onBack()
      },
      () => {},
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
