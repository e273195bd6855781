import { useState } from 'react'
import { toast } from 'sonner'

import { messageOf } from '../../api/failure.ts'
import { Button } from '../../ui/button.tsx'
import { DateText } from '../../ui/date-text.tsx'
import { Fact, FactList } from '../../ui/fact-list.tsx'
import { Field } from '../../ui/field.tsx'
import { Textarea } from '../../ui/inputs.tsx'
import { Notice } from '../../ui/notice.tsx'
import { methodWords } from '../transactions/transaction-words.ts'
import { AdjustmentAmount, AdjustmentBadge } from './adjustment-columns.tsx'
import { type Adjustment, useApplyAdjustment, useRejectAdjustment } from './queries.ts'

type DecisionProps = { adjustment: Adjustment; canApply: boolean; onDone: () => void }

export function AdjustmentDecision({ adjustment, canApply, onDone }: DecisionProps) {
  const [reason, setReason] = useState('')
  const apply = useApplyAdjustment(adjustment.id)
  const reject = useRejectAdjustment(adjustment.id)
  const error = apply.error ?? reject.error
  return (
    <div className="grid gap-5">
      <FactList>
        <Fact name="Amount">
          <AdjustmentAmount adjustment={adjustment} />
        </Fact>
        <Fact name="Status">
          <AdjustmentBadge adjustment={adjustment} />
        </Fact>
        <Fact name="User">{adjustment.user?.name ?? 'Unknown User'}</Fact>
        <Fact name="Wallet">{methodWords(adjustment.wallet_type)}</Fact>
        <Fact name="Proposed by">
          {adjustment.proposedBy?.name ?? 'Unknown'},{' '}
          <DateText at={adjustment.createdAt} format="moment" />
        </Fact>
        {adjustment.reason !== null && (
          <Fact name="Reason">
            <span className="break-words">{adjustment.reason}</span>
          </Fact>
        )}
      </FactList>
      {error !== null && (
        <Notice tone="error">{messageOf(error, 'The adjustment was not decided.')}</Notice>
      )}
      {adjustment.status === 'proposed' && (
        <>
          {!canApply && (
            <Notice tone="info">You proposed it, so another administrator has to apply it.</Notice>
          )}
          <Field label="Reason of a rejection" optional>
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
          <div className="flex flex-wrap justify-end gap-2">
            <Button
              look="danger"
              pending={reject.isPending}
              disabled={reason.trim() === '' || apply.isPending}
              onClick={() =>
                reject.mutate(reason, {
                  onSuccess: () => {
                    toast.success('The adjustment is rejected.')
                    onDone()
                  },
                })
              }
            >
              Reject
            </Button>
            <Button
              look="primary"
              pending={apply.isPending}
              disabled={!canApply || reject.isPending}
              onClick={() =>
                apply.mutate(undefined, {
                  onSuccess: () => {
                    toast.success('The adjustment is applied.')
                    onDone()
                  },
                })
              }
            >
              Apply
            </Button>
          </div>
        </>
      )}
    </div>
  )
}
