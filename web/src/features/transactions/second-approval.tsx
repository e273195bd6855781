import { useQuery } from '@tanstack/react-query'

import { getErrorMessage } from '../../shared/api/failure.ts'
import { Button } from '../../shared/ui/button.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { focusOnMount } from '../../shared/ui/focus-on-mount.ts'
import { Notice } from '../../shared/ui/notice.tsx'
import { notifyError } from '../../shared/ui/notify.ts'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import {
  approvalQueries,
  type ChangeDetail,
  ChangeLines,
  useApproveChange,
} from '../changes/index.ts'
import {
  ApproveButtons,
  describeConsequence,
  getApproveLabel,
  type StepProps,
} from './approve-step.tsx'
import { describeRequest, getTransactionTitle } from './transaction-labels.ts'

/**
 * Shows what the first administrator approved, and approves exactly that. The step has no fields,
 * because a second approval with other details is refused.
 */
export function SecondApproval(props: StepProps) {
  const { id: target, type } = props.transaction
  const kind = type === 'deposit' ? 'deposit-approval' : 'withdrawal-approval'
  const waiting = useQuery(approvalQueries.listWaitingRequests({ kind, target }))
  const id = waiting.data?.[0]?.id
  const first = useQuery({ ...approvalQueries.readRequest(id ?? ''), enabled: id !== undefined })
  const failed = [waiting, first].find(({ isError }) => isError)
  if (failed !== undefined) {
    return (
      <FailedState
        message={getErrorMessage(failed.error, 'The first approval could not be loaded.')}
        error={failed.error}
        onRetry={failed.refetch}
        pending={failed.isFetching}
      />
    )
  }
  if (waiting.data?.length === 0) {
    return (
      <Blocked onBack={props.onBack}>
        The first approval was withdrawn or decided meanwhile.
      </Blocked>
    )
  }
  if (first.data === undefined) return <Skeleton className="h-64 w-full rounded-card" />
  if (!first.data.canDecide) {
    return (
      <Blocked onBack={props.onBack}>
        {first.data.blockedBecause ??
          'Both approvals are given. They will be carried out in a moment.'}
      </Blocked>
    )
  }
  return <FirstApproval {...props} change={first.data} />
}

function Blocked({ children, onBack }: { children: string; onBack: () => void }) {
  return (
    <div className="grid w-full gap-3">
      <Notice tone="info">{children}</Notice>
      <div className="flex justify-end">
        <Button ref={focusOnMount} onClick={onBack}>
          Back
        </Button>
      </div>
    </div>
  )
}

function FirstApproval({
  transaction,
  change,
  onBack,
  onDone,
}: StepProps & { change: ChangeDetail }) {
  const approve = useApproveChange(change)
  const { lines, title, reason, createdBy, createdAt } = change
  const amount = lines.find(({ type }) => type === 'money')
  const isOther = amount !== undefined && amount.before !== amount.after
  const submit = () => {
    // This code uses `mutateAsync`. A callback of `mutate` would not run, because the list may
    // unmount this step before the answer arrives.
    approve.mutateAsync().then(
      ({ changeRequest: { state } }) => {
        const request = describeRequest(transaction)
        onDone(
          state === 'executed'
            ? `${getTransactionTitle(transaction)} approved: ${request}.`
            : `Approved: ${request}. It will be carried out in a moment.`,
        )
      },
      // A message outlives this step. The queries are read again before the error arrives, and
      // after a failed change they no longer contain a first approval.
      (error) => notifyError(getErrorMessage(error, 'Failed to approve transaction')),
    )
  }
  return (
    <div className="flex w-full flex-col gap-3">
      <p className="text-14">
        First approval by {createdBy?.name ?? 'another administrator'},{' '}
        <DateText at={createdAt} format="moment" />
        {/* If the first administrator gave no reason, the server stores the title as the reason. */}
        {reason !== title && <span className="wrap-anywhere block text-muted">{reason}</span>}
      </p>
      <ChangeLines lines={lines} />
      {change.isOutdated && (
        <Notice tone="warning">
          The transaction has changed since the first approval. If you approve, nothing changes.
        </Notice>
      )}
      <p className="text-14">{describeConsequence(transaction, isOther)}</p>
      {/* The buttons stay in view while the details scroll in the footer of the panel. They cover its
          padding, where the details would show again. */}
      <div className="sticky -bottom-3 -mb-3 flex justify-end gap-2 bg-surface pt-1 pb-3">
        <ApproveButtons
          label={getApproveLabel(transaction, isOther)}
          pending={approve.isPending}
          onBack={onBack}
          onApprove={submit}
        />
      </div>
    </div>
  )
}
