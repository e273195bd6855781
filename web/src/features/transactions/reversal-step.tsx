import { useState } from 'react'
import { toast } from 'sonner'

import { messageOf } from '../../api/failure.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Textarea } from '../../ui/inputs.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { StepProps } from './approve-step.tsx'
import { useApproveTransaction, useDeclineTransaction } from './queries.ts'

const FALLBACKS = {
  approve: 'Failed to approve transaction',
  decline: 'Failed to decline transaction',
} as const

/** Turns an earlier decision round by entries of its own; the earlier ones stay. */
export function Reverse({ transaction, to, onBack }: StepProps & { to: 'approve' | 'decline' }) {
  const [reason, setReason] = useState('')
  const [isChecked, setChecked] = useState(false)
  const approve = useApproveTransaction()
  const decline = useDeclineTransaction()
  const decision = to === 'approve' ? approve : decline
  const isMissing = reason.trim() === ''
  const submit = () => {
    setChecked(true)
    if (decision.isPending || isMissing) return
    decision.mutateAsync({ id: transaction.id, reason: reason.trim(), reverse: true }).then(
      () => {
        toast.success('The earlier decision is reversed.')
        onBack()
      },
      () => {},
    )
  }
  return (
    <div className="grid w-full gap-3">
      <p className="text-14">
        This was already {to === 'approve' ? 'declined' : 'approved'}. Turning it round is recorded
        as a reversal; the earlier decision stays in the books.
      </p>
      <Field label="Reason" error={isChecked && isMissing ? 'Give a reason' : null}>
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
      {decision.isError && <Notice tone="error">{messageOf(decision.error, FALLBACKS[to])}</Notice>}
      <div className="flex justify-end gap-2">
        <Button onClick={onBack} disabled={decision.isPending}>
          Back
        </Button>
        <Button look="danger" pending={decision.isPending} onClick={submit}>
          Reverse and {to}
        </Button>
      </div>
    </div>
  )
}
