import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useRef, useState } from 'react'
import { type Minor, toMinor } from '../../shared/money/money.ts'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { DoneState } from '../../shared/ui/done-state.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { FigurePlaceholder } from '../../shared/ui/figure-placeholder.tsx'
import { joinClasses } from '../../shared/ui/join-classes.ts'
import { InlineMoney, MoneyText } from '../../shared/ui/money-text.tsx'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { useEntryState } from '../../shared/url/entry-state.ts'
import { useSearchParams } from '../../shared/url/navigation.tsx'
import { useUrlState } from '../../shared/url/url-state.ts'
import { statsQueries } from '../charts/index.ts'
import { getPlanName, type Plan, PlanCard, PlanGrid, planQueries } from '../plans/index.ts'
import { useDepositPath } from './deposit-path.ts'
import { InvestForm } from './invest-form.tsx'
import { InvestmentSummary } from './investment-summary.tsx'
import type { Investment } from './queries.ts'

const BACK = '/manage/investor/investments'
const PLACES = [0, 1, 2, 3, 4]

export function NewInvestment() {
  const [search] = useSearchParams()
  const url = useUrlState()
  const plans = useQuery(planQueries.listPlans())
  const stats = useQuery(statsQueries.readOwnStats())
  const [typed, setTyped] = useState('')
  const form = useRef<HTMLDivElement>(null)
  const [opened, setOpened] = useEntryState<Investment>()
  const chosen = plans.data?.find(({ id }) => id === search.get('plan')) ?? null
  const hasForm = plans.data === undefined ? !plans.isError : plans.data.length > 0
  const balance = stats.data === undefined ? null : toMinor(stats.data.wallet.balance)
  if (opened !== null) return <OpenedInvestment investment={opened} />
  return (
    <>
      <TextLink to={BACK} className="inline-flex w-fit items-center gap-1.5 text-14">
        <ArrowLeft aria-hidden="true" className="size-4" />
        Back to Investments
      </TextLink>
      <PageHeader
        title="New Investment"
        text={
          <>
            Paid from your Wallet Balance:{' '}
            {balance === null ? (
              <FigurePlaceholder hasFailed={stats.isError} className="h-4 w-20" />
            ) : (
              <MoneyText minor={balance} className="font-semibold text-ink" />
            )}
          </>
        }
      />
      <div
        className={joinClasses(
          'grid gap-6 xl:items-stretch',
          hasForm && 'xl:grid-cols-[1fr_24rem]',
        )}
      >
        <div>
          <h2 className="sr-only">Plans</h2>
          <PlanChoice
            balance={balance}
            chosenId={chosen?.id ?? null}
            onChoose={(plan) => {
              url.set({ plan: plan.id }, { replace: true })
              // On a phone the form is below the plans, so moving the focus scrolls the page to the
              // form.
              form.current?.querySelector('input')?.focus()
            }}
          />
        </div>
        {hasForm && (
          <div ref={form} className="h-full">
            <InvestForm
              plan={chosen}
              balance={balance}
              typed={typed}
              onTyped={setTyped}
              onOpened={(investment) => {
                setTyped('')
                setOpened(investment)
              }}
            />
          </div>
        )}
      </div>
    </>
  )
}

function PlanChoice({
  balance,
  chosenId,
  onChoose,
}: {
  /** The available balance; null while the balance loads. */
  balance: Minor | null
  chosenId: string | null
  onChoose: (plan: Plan) => void
}) {
  const { data: plans, isError, refetch, isFetching } = useQuery(planQueries.listPlans())
  if (isError && plans === undefined) {
    return (
      <FailedState
        message="The plans could not be loaded."
        onRetry={refetch}
        pending={isFetching}
      />
    )
  }
  if (plans === undefined) {
    return (
      <PlanGrid>
        {PLACES.map((place) => (
          <Skeleton key={place} className="h-97 w-full rounded-card md:max-xl:h-100" />
        ))}
      </PlanGrid>
    )
  }
  if (plans.length === 0) {
    return (
      <EmptyState
        title="No plans are on offer"
        text="Please come back later."
        action={<ButtonLink to={BACK}>View your investments</ButtonLink>}
      />
    )
  }
  return (
    <PlanGrid>
      {plans.map((plan) => (
        <PlanCard
          key={plan.id}
          plan={plan}
          selected={plan.id === chosenId}
          action={
            <>
              <p className="text-14 text-muted">You can lose all the money you invest.</p>
              <Shortfall plan={plan} balance={balance} />
              <Button
                wide
                look={plan.id === chosenId ? 'primary' : 'secondary'}
                aria-pressed={plan.id === chosenId}
                onClick={() => onChoose(plan)}
              >
                {plan.id === chosenId ? 'Selected' : 'Select'}
              </Button>
            </>
          }
        />
      ))}
    </PlanGrid>
  )
}

/** States how much the balance is below the minimum of the plan, and leads to a deposit of it. */
function Shortfall({ plan, balance }: { plan: Plan; balance: Minor | null }) {
  const missing = balance === null ? 0n : toMinor(plan.minDeposit) - balance
  const depositPath = useDepositPath(missing)
  return (
    // The line keeps its height while the balance loads.
    <p className="flex min-h-5 flex-wrap justify-between gap-x-3 text-14">
      {missing > 0n && (
        <>
          <span className="font-medium text-pending">
            Needs <InlineMoney minor={missing} /> more
          </span>
          <TextLink to={depositPath}>
            Deposit<span className="sr-only"> what the plan {getPlanName(plan)} needs</span>
          </TextLink>
        </>
      )}
    </p>
  )
}

function OpenedInvestment({ investment }: { investment: Investment }) {
  return (
    <div className="mx-auto w-full max-w-2xl">
      <DoneState
        title="Investment successful!"
        action={
          <ButtonLink to={BACK} look="primary">
            View Investments
          </ButtonLink>
        }
      >
        <InvestmentSummary investment={investment} />
      </DoneState>
    </div>
  )
}
