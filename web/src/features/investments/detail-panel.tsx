import type { getInvestment, ResponseOf } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { getErrorMessage } from '../../shared/api/failure.ts'
import { Button } from '../../shared/ui/button.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { SidePanel } from '../../shared/ui/dialog.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { notifySuccess } from '../../shared/ui/notify.ts'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { InvestmentFacts, InvestmentSteps, Upcoming } from './detail-facts.tsx'
import { investmentQueries, useCancelInvestment } from './queries.ts'

type Detail = ResponseOf<typeof getInvestment>

export function MyInvestmentPanel({ id, onClose }: { id: string | null; onClose: () => void }) {
  const detail = useQuery({ ...investmentQueries.readInvestment(id ?? ''), enabled: id !== null })
  return (
    <SidePanel
      open={id !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={
        detail.data === undefined ? 'Investment' : (detail.data.investment.plan.name ?? 'No Plan')
      }
      footer={
        detail.data !== undefined && detail.data.cancelUntil !== null ? (
          <CancelInvestment key={id} detail={detail.data} cancelUntil={detail.data.cancelUntil} />
        ) : null
      }
    >
      {detail.isError && detail.data === undefined && (
        <FailedState
          message={getErrorMessage(detail.error, 'The investment could not be loaded.')}
          error={detail.error}
          onRetry={detail.refetch}
          pending={detail.isFetching}
        />
      )}
      {detail.isPending && id !== null && <Skeleton className="h-96 w-full rounded-card" />}
      {detail.data !== undefined && (
        <div className="grid gap-6">
          <InvestmentFacts detail={detail.data} viewer="investor" />
          <Upcoming points={detail.data.upcoming} />
          <InvestmentSteps steps={detail.data.timeline} isCut={detail.data.isCut} />
        </div>
      )}
    </SidePanel>
  )
}

function CancelInvestment({ detail, cancelUntil }: { detail: Detail; cancelUntil: string }) {
  const [isAsking, setAsking] = useState(false)
  const cancel = useCancelInvestment()
  const submit = () =>
    // This code uses `mutateAsync`. A callback of `mutate` would not run, because the button
    // unmounts before the answer arrives.
    cancel.mutateAsync(detail.investment.id).then(
      () => notifySuccess('Your investment is cancelled.'),
      () => {},
    )
  if (!isAsking) return <Button onClick={() => setAsking(true)}>Cancel this investment</Button>
  return (
    <div className="grid w-full gap-3">
      {cancel.isError && (
        <Notice tone="error">
          {getErrorMessage(cancel.error, 'The investment could not be cancelled.')}
        </Notice>
      )}
      <p className="text-14">
        You can cancel this investment until <DateText at={cancelUntil} format="moment" />. The
        amount that you paid returns to your balance, and the profit credited so far is reversed.
      </p>
      <div className="flex justify-end gap-2">
        <Button onClick={() => setAsking(false)}>Keep it</Button>
        <Button look="danger" pending={cancel.isPending} onClick={submit}>
          Cancel the investment
        </Button>
      </div>
    </div>
  )
}
