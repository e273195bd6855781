import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { getErrorMessage } from '../../shared/api/failure.ts'
import { toMinor } from '../../shared/money/money.ts'
import { Button } from '../../shared/ui/button.tsx'
import { ConfirmStep } from '../../shared/ui/confirm-step.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { Fact, FactList } from '../../shared/ui/fact-list.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { notifySuccess } from '../../shared/ui/notify.ts'
import { ReasonStep } from '../../shared/ui/reason-step.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import {
  approvalQueries,
  type ChangeDetail,
  ChangeLines,
  useApproveChange,
  useRejectChange,
  useWithdrawChange,
} from '../changes/index.ts'
import { useCoverageAfter } from '../reserve/index.ts'
import { ChangeBadge } from './change-badge.tsx'
import { KIND_LABELS } from './change-labels.ts'
import { notifyApproval } from './notify-approval.ts'

/** Shows one change request with its author and reason, and the buttons to decide on it. */
export function ChangePanel({ id }: { id: string }) {
  const query = useQuery(approvalQueries.readRequest(id))
  if (query.data === undefined) {
    return query.isError ? (
      <FailedState
        message={getErrorMessage(query.error, 'The request could not be loaded.')}
        error={query.error}
        onRetry={query.refetch}
        pending={query.isFetching}
      />
    ) : (
      <Skeleton className="h-64 w-full" />
    )
  }
  const change = query.data
  return (
    <div className="grid gap-5">
      <ChangeLines lines={change.lines} />
      <Facts change={change} />
      {change.isOutdated && (
        <Notice tone="warning">
          The current values differ from those under Before. If you approve this request, it fails
          and nothing changes. Reject it, or ask for a new request.
        </Notice>
      )}
      {change.state === 'expired' && (
        <Notice tone="warning">
          This request expired before it was approved, so nothing changed. Propose the change again
          if it is still needed.
        </Notice>
      )}
      {change.state === 'pending' && change.kind === 'reserve-withdrawal' && (
        <CoverageAfterWithdrawal lines={change.lines} />
      )}
      {change.state === 'pending' && <Decision change={change} />}
    </div>
  )
}

function Facts({ change }: { change: ChangeDetail }) {
  const { kind, state, title, reason, createdBy, createdAt, expiresAt, decidedBy, decidedAt } =
    change
  return (
    <FactList>
      <Fact name="Status">
        <ChangeBadge state={state} />
      </Fact>
      <Fact name="Kind">{KIND_LABELS[kind]}</Fact>
      <Fact name="Reason">
        {/* If the proposer gave no reason, the server stores the title of the request as its
           reason. */}
        <span className="wrap-anywhere">{reason === title ? 'None given' : reason}</span>
      </Fact>
      <Fact name="Proposed by">
        {createdBy?.name ?? 'Unknown'}, <DateText at={createdAt} format="moment" />
      </Fact>
      {state === 'pending' && (
        <Fact name="Expires">
          <DateText at={expiresAt} format="moment" />
        </Fact>
      )}
      {decidedAt !== null && (
        <Fact name="Decided">
          {decidedBy === undefined ? '' : `${decidedBy.name}, `}
          <DateText at={decidedAt} format="moment" />
        </Fact>
      )}
      {change.failure !== null && (
        <Fact name={state === 'rejected' ? 'Reason for the rejection' : 'Reason for the failure'}>
          <span className="wrap-anywhere">{change.failure}</span>
        </Fact>
      )}
      <Fact name="SHA-256 of the content">
        <code className="break-all text-12">{change.payloadSha256}</code>
      </Fact>
    </FactList>
  )
}

function Decision({ change }: { change: ChangeDetail }) {
  const [step, setStep] = useState<'choose' | 'approve' | 'reject'>('choose')
  const reject = useRejectChange(change.id)
  const withdraw = useWithdrawChange(change.id)
  if (change.canWithdraw) {
    return (
      <div className="grid gap-3">
        <Notice tone="info">You proposed this change, so another administrator must decide.</Notice>
        <ConfirmStep
          label="Withdraw request"
          text="The request ends and nothing changes."
          confirmLabel="Withdraw the request"
          fallback="The request could not be withdrawn."
          action={withdraw}
          onDone={() => notifySuccess('The request is withdrawn.')}
        />
      </div>
    )
  }
  if (!change.canDecide) return <Notice tone="info">{change.blockedBecause}</Notice>
  if (step === 'reject') {
    return (
      <ReasonStep
        text="The request ends and nothing changes. The administrator who proposed the change can read the reason."
        button="Reject the request"
        act={reject}
        fallback="The request could not be rejected."
        onDone={() => notifySuccess('The request is rejected.')}
        onBack={() => setStep('choose')}
      />
    )
  }
  if (step === 'approve') return <Approval change={change} onBack={() => setStep('choose')} />
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button look="danger" onClick={() => setStep('reject')}>
        Reject
      </Button>
      <Button look="primary" onClick={() => setStep('approve')}>
        Approve
      </Button>
    </div>
  )
}

function Approval({ change, onBack }: { change: ChangeDetail; onBack: () => void }) {
  const approve = useApproveChange(change)
  return (
    <div className="grid gap-3 rounded-card bg-sunken p-4 text-14">
      <p>
        The values under After apply at once. Your name is recorded as the second administrator.
      </p>
      {approve.isError && (
        <Notice tone="error">
          {getErrorMessage(approve.error, 'The request could not be approved.')}
        </Notice>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onBack} disabled={approve.isPending}>
          Back
        </Button>
        <Button
          look="primary"
          pending={approve.isPending}
          onClick={() =>
            // This code uses `mutateAsync`. With `mutate`, the callback would not run, because the
            // panel shows the decided request before the callback.
            approve.mutateAsync().then(
              ({ changeRequest }) => notifyApproval(changeRequest),
              () => {},
            )
          }
        >
          Approve the change
        </Button>
      </div>
    </div>
  )
}

/** Says what a withdrawal from the reserve changes in the coverage that the public pages disclose. */
function CoverageAfterWithdrawal({ lines }: Pick<ChangeDetail, 'lines'>) {
  const amount = lines.find(({ type }) => type === 'money')?.after ?? '0'
  const ledger = lines.find(({ label }) => label === 'Ledger')?.after ?? null
  const { isPending, sentence } = useCoverageAfter({
    ledger: ledger === null ? null : Number(ledger),
    // The line shows the change of the reserve, which is below zero.
    amountMinor: -toMinor(amount),
  })
  return (
    // The height is reserved, so that the buttons below do not move when the sentence arrives.
    <div className="min-h-32 sm:min-h-24">
      {isPending && <Skeleton className="h-24 w-full rounded-card" />}
      {sentence !== null && <Notice tone="info">{sentence}</Notice>}
    </div>
  )
}
