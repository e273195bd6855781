import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { formatMoney, toMinor } from '../../shared/money/money.ts'
import { formatPercent } from '../../shared/money/percent.ts'
import { ButtonLink } from '../../shared/ui/button.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { TermInfo } from '../../shared/ui/term-info.tsx'
import type { TermName } from '../../shared/ui/terms.ts'
import {
  computeLoss,
  computePayout,
  formatLimits,
  formatTerm,
  getPlanName,
  type Plan,
} from '../plans/index.ts'
import { coverageQueries } from '../reserve/index.ts'

type Term = {
  name: string
  /** The term in the name. A button beside the name explains the term. */
  info?: TermName
  cell: (plan: Plan) => ReactNode
}

/** Compares all terms of the plans, one plan a column. On a narrow screen each plan is a card. */
export function PlanComparison({ plans }: { plans: readonly Plan[] }) {
  const { data: coverage } = useQuery(coverageQueries.now())
  const terms: readonly Term[] = [
    { name: 'You invest', cell: formatLimits },
    {
      name: 'Profit credited',
      cell: ({ timingParameter }) => (timingParameter === 'hours' ? 'Every hour' : 'Every day'),
    },
    { name: 'Due to you for the minimum', cell: formatOutcome },
    {
      name: 'Principal',
      info: 'principal',
      cell: ({ returnPrincipal }) =>
        returnPrincipal ? 'Due at the end' : 'Not returned: only the profit is due',
    },
    { name: 'Before the end', cell: () => 'The amount you invest is locked' },
    {
      name: 'Promised profit covered now',
      info: 'coverage',
      // The placeholder is an element of its own. If the text replaced a text placeholder, the
      // browser would count a layout shift.
      cell: () =>
        coverage === undefined ? (
          <Skeleton className="h-4 w-10" />
        ) : (
          <span>{coverage.percentage}%</span>
        ),
    },
    { name: 'Risk', cell: () => 'You can lose all the money you invest.' },
  ]
  return (
    <>
      <PlanTable plans={plans} terms={terms} />
      <ul
        aria-label="Comparison of the plans"
        className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3 xl:hidden sm:max-lg:[&>:nth-child(odd):last-child]:col-span-2"
      >
        {plans.map((plan) => (
          <PlanCard key={plan.id} plan={plan} terms={terms} />
        ))}
      </ul>
    </>
  )
}

type ComparedProps = { plans: readonly Plan[]; terms: readonly Term[] }

function PlanTable({ plans, terms }: ComparedProps) {
  return (
    // If there are many plans, the region scrolls sideways. Keyboard users must be able to scroll
    // it, so it can have the focus.
    <section
      aria-label="Comparison of the plans"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus.
      tabIndex={0}
      className="hidden overflow-x-auto rounded-card border border-line bg-surface xl:block"
    >
      <table className="w-full text-left text-14">
        <caption className="sr-only">All terms of the plans on offer</caption>
        <thead>
          <tr className="align-bottom">
            <th scope="col" className="min-w-36 p-4 font-medium text-12 text-muted">
              Terms
            </th>
            {plans.map((plan) => (
              <th key={plan.id} scope="col" className="wrap-anywhere min-w-44 p-4">
                <PlanTitle plan={plan} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {terms.map(({ name, info, cell }) => (
            <tr key={name} className="border-line border-t align-top">
              <th scope="row" className="p-4 font-normal text-muted">
                {name}
                {info !== undefined && <TermInfo term={info} />}
              </th>
              {plans.map((plan) => (
                <td key={plan.id} className="p-4">
                  {cell(plan)}
                </td>
              ))}
            </tr>
          ))}
          <tr className="border-line border-t align-top">
            <th scope="row" className="p-4 font-normal text-muted">
              Open an account
            </th>
            {plans.map((plan) => (
              <td key={plan.id} className="p-4">
                <ButtonLink to="/users/register">Invest Now</ButtonLink>
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </section>
  )
}

function PlanCard({ plan, terms }: { plan: Plan; terms: readonly Term[] }) {
  return (
    <li className="wrap-anywhere grid gap-4 rounded-card border border-line bg-surface p-5 text-14">
      <h3>
        <PlanTitle plan={plan} />
      </h3>
      <dl className="grid gap-2">
        {terms.map(({ name, info, cell }) => (
          <div key={name} className="flex justify-between gap-4">
            <dt className="shrink-0 text-muted">
              {name}
              {info !== undefined && <TermInfo term={info} />}
            </dt>
            <dd className="min-w-0 flex-1 text-right">{cell(plan)}</dd>
          </div>
        ))}
      </dl>
      <ButtonLink to="/users/register">Invest Now</ButtonLink>
    </li>
  )
}

function PlanTitle({ plan }: { plan: Plan }) {
  return (
    <>
      <span className="block font-semibold text-16">{getPlanName(plan)}</span>
      <span className="tabular font-semibold text-28 tracking-tight">
        {formatPercent(plan.percentage)}
      </span>{' '}
      <span className="font-normal text-muted">over {formatTerm(plan)}</span>
    </>
  )
}

function formatOutcome(plan: Plan): ReactNode {
  const min = toMinor(plan.minDeposit)
  const { back } = computePayout(plan, min, 0)
  const loss = computeLoss(plan, min)
  return (
    <>
      {formatMoney(back)}
      {loss > 0n && <strong className="block text-declined">You lose {formatMoney(loss)}.</strong>}
    </>
  )
}
