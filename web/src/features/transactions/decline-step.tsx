import { useState } from 'react'
import { toast } from 'sonner'

import { messageOf } from '../../api/failure.ts'
import { formatMoney, toMinor } from '../../money/money.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Textarea } from '../../ui/inputs.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { StepProps } from './approve-step.tsx'
import { useDeclineTransaction } from './queries.ts'
import { transactionTitle } from './transaction-words.ts'

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
