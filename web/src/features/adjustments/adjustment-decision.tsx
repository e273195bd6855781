import { useState } from 'react'
import { toast } from 'sonner'

import { ActFailure } from '../../shared/ui/act-failure.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { Fact, FactList } from '../../shared/ui/fact-list.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { ReasonStep } from '../../shared/ui/reason-step.tsx'
import { describeMethod } from '../transactions/index.ts'
import { AdjustmentAmount, AdjustmentBadge } from './adjustment-columns.tsx'
import { type Adjustment, useApplyAdjustment, useRejectAdjustment } from './queries.ts'

type DecisionProps = { adjustment: Adjustment; canApply: boolean; onDone: () => void }

export function AdjustmentDecision({ adjustment, canApply, onDone }: DecisionProps) {
  const [isRejecting, setRejecting] = useState(false)
  const reject = useRejectAdjustment(adjustment.id)
  return (
    <div className="grid gap-5">
      <Facts adjustment={adjustment} />
      {adjustment.status === 'proposed' &&
        (isRejecting ? (
          <ReasonStep
            button="Reject the adjustment"
            act={reject}
            fallback="The adjustment was not decided."
            onDone={() => {
              toast.success('The adjustment is rejected.')
              onDone()
            }}
            onBack={() => setRejecting(false)}
          />
        ) : (
          <Choice
            adjustment={adjustment}
            canApply={canApply}
            onDone={onDone}
            onReject={() => setRejecting(true)}
          />
        ))}
    </div>
  )
}

function Facts({ adjustment }: { adjustment: Adjustment }) {
  return (
    <FactList>
      <Fact name="Amount">
        <AdjustmentAmount adjustment={adjustment} />
      </Fact>
      <Fact name="Status">
        <AdjustmentBadge adjustment={adjustment} />
      </Fact>
      <Fact name="User">{adjustment.user?.name ?? 'Unknown User'}</Fact>
      <Fact name="Wallet">{describeMethod(adjustment.wallet_type)}</Fact>
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
  )
}

function Choice(props: DecisionProps & { onReject: () => void }) {
  const { adjustment, canApply, onDone, onReject } = props
  const apply = useApplyAdjustment(adjustment.id)
  return (
    <>
      <ActFailure error={apply.error} fallback="The adjustment was not decided." />
      {!canApply && (
        <Notice tone="info">You proposed it, so another administrator has to apply it.</Notice>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button look="danger" disabled={apply.isPending} onClick={onReject}>
          Reject
        </Button>
        <Button
          look="primary"
          pending={apply.isPending}
          disabled={!canApply}
          onClick={() =>
            // A promise instead of a `mutate` callback: the list may unmount this component first, and the
            // toast must still appear.
            apply.mutateAsync().then(
              () => {
                toast.success('The adjustment is applied.')
                onDone()
              },
              () => {},
            )
          }
        >
          Apply
        </Button>
      </div>
    </>
  )
}
