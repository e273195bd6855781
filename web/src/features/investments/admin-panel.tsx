import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getErrorMessage } from '../../shared/api/failure.ts'
import { toMinor } from '../../shared/money/money.ts'
import { useHasPermission } from '../../shared/session/permissions.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { SidePanel } from '../../shared/ui/dialog.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { InlineMoney } from '../../shared/ui/money-text.tsx'
import { notifySuccess } from '../../shared/ui/notify.ts'
import { ReasonStep } from '../../shared/ui/reason-step.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { useMoneyReasonHint } from '../changes/index.ts'
import { InvestmentFacts, InvestmentSteps, Upcoming } from './detail-facts.tsx'
import { type Investment, investmentQueries, useDenyInvestment } from './queries.ts'

type PanelProps = { id: string | null; onClose: () => void }

/** Shows one investment with its credits, and the action that denies it. */
export function AdminInvestmentPanel({ id, onClose }: PanelProps) {
  const [deniedId, setDeniedId] = useState<string | null>(null)
  const detail = useQuery({ ...investmentQueries.readInvestment(id ?? ''), enabled: id !== null })
  const investment = detail.data?.investment
  const hasPermission = useHasPermission()
  const isDenying = id !== null && deniedId === id
  const close = () => {
    setDeniedId(null)
    onClose()
  }
  return (
    <SidePanel
      open={id !== null}
      onOpenChange={(isOpen) => !isOpen && close()}
      title={investment?.plan.name ?? 'Investment'}
      footer={
        investment?.status !== 'active' || !hasPermission('investments.deny') ? null : isDenying ? (
          <Deny
            investment={investment}
            // A late answer must not close the form of the investment that was opened meanwhile.
            onBack={() => setDeniedId((open) => (open === investment.id ? null : open))}
          />
        ) : (
          <Button look="danger" onClick={() => setDeniedId(investment.id)}>
            Deny
          </Button>
        )
      }
    >
      {detail.isError && (
        <FailedState
          message={getErrorMessage(detail.error, 'The investment could not be loaded.')}
          error={detail.error}
          onRetry={detail.refetch}
          pending={detail.isFetching}
        />
      )}
      {detail.isPending && <Skeleton className="h-96 w-full rounded-card" />}
      {detail.data !== undefined && (
        <div className="grid gap-6">
          {investment?.user !== undefined && (
            <p className="text-14">
              Of{' '}
              <TextLink to={`/manage/admin/users/${investment.user.id}`}>
                {investment.user.name}
              </TextLink>
            </p>
          )}
          <InvestmentFacts detail={detail.data} viewer="admin" />
          <Upcoming points={detail.data.upcoming} />
          <InvestmentSteps steps={detail.data.timeline} isCut={detail.data.isCut} />
        </div>
      )}
    </SidePanel>
  )
}

function Deny({ investment, onBack }: { investment: Investment; onBack: () => void }) {
  const hint = useMoneyReasonHint() ?? ''
  return (
    <ReasonStep
      text={
        <>
          <InlineMoney minor={toMinor(investment.amount)} /> returns to the Wallet Balance of{' '}
          {investment.user?.name ?? 'the investor'}. Profit credited so far stays. The rest of the
          promised profit returns to the reserve.
        </>
      }
      hint={`The investor sees this reason. ${hint}`.trim()}
      button="Deny the investment"
      act={useDenyInvestment(investment.id)}
      fallback="The investment was not denied."
      onDone={() => {
        notifySuccess('The investment is denied.')
        onBack()
      }}
      onBack={onBack}
    />
  )
}
