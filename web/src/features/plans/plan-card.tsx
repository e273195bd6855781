import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { formatMoney, formatMoneyBriefly, toMinor } from '../../shared/money/money.ts'
import { formatPercent } from '../../shared/money/percent.ts'
import { joinClasses } from '../../shared/ui/join-classes.ts'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { TermInfo } from '../../shared/ui/term-info.tsx'
import type { TermName } from '../../shared/ui/terms.ts'
import { coverageQueries } from '../reserve/index.ts'
import { computeLoss, formatLimits, formatTerm, getPlanName } from './payout.ts'
import type { Plan } from './queries.ts'

/** Shows the terms of a plan. `action` is the button that the page places on the card. */
export function PlanCard({
  plan,
  action,
  selected = false,
}: {
  plan: Plan
  action: ReactNode
  selected?: boolean
}) {
  const { data: coverage } = useQuery(coverageQueries.now())
  const min = formatMoneyBriefly(toMinor(plan.minDeposit))
  const loss = computeLoss(plan, toMinor(plan.minDeposit))
  return (
    <article
      className={joinClasses(
        'wrap-anywhere flex flex-col gap-5 rounded-card border bg-surface p-5',
        selected ? 'border-accent outline-1 outline-accent' : 'border-line',
      )}
    >
      <div className="grid gap-1">
        <h3 className="font-semibold text-16">{getPlanName(plan)}</h3>
        <p>
          <span className="tabular font-semibold text-28 tracking-tight">
            {formatPercent(plan.percentage)}
          </span>{' '}
          <span className="text-14 text-muted">over {formatTerm(plan)}</span>
        </p>
      </div>
      <dl className="grid gap-2 text-14">
        <Fact name="You invest">{formatLimits(plan)}</Fact>
        <Fact name="Profit credited">
          every {plan.timingParameter === 'hours' ? 'hour' : 'day'}
        </Fact>
        <Fact name="Principal" info="principal">
          {plan.returnPrincipal ? 'due at the end' : 'not returned'}
        </Fact>
        <Fact name="Promised profit covered now" info="coverage">
          {coverage === undefined ? (
            <Skeleton className="h-4 w-10" />
          ) : (
            <span>{coverage.percentage}%</span>
          )}
        </Fact>
      </dl>
      {!plan.returnPrincipal && (
        <p className="text-14 text-pending">
          Your {min} is not returned: only the profit is due to you.
          {loss > 0n && <strong> You lose {formatMoney(loss)} of it.</strong>}
        </p>
      )}
      <div className="mt-auto grid gap-3">{action}</div>
    </article>
  )
}

type FactProps = {
  name: string
  /** The term in the name. A button beside the name explains the term. */
  info?: TermName
  children: ReactNode
}

function Fact({ name, info, children }: FactProps) {
  return (
    <div className="flex justify-between gap-3 border-line border-t pt-2">
      <dt className="text-muted">
        {name}
        {info !== undefined && <TermInfo term={info} />}
      </dt>
      <dd className="text-right">{children}</dd>
    </div>
  )
}

export function PlanGrid({ children }: { children: ReactNode }) {
  return (
    <div className="grid gap-4 [grid-template-columns:repeat(auto-fill,minmax(min(100%,17rem),1fr))]">
      {children}
    </div>
  )
}
