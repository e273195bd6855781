import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { formatMoney, toMinor } from '../../shared/money/money.ts'
import { formatPercent } from '../../shared/money/percent.ts'
import { ButtonLink } from '../../shared/ui/button.tsx'
import {
  computeLoss,
  computePayout,
  formatLimits,
  formatTerm,
  getPlanName,
  type Plan,
} from '../plans/index.ts'
import { coverageQueries } from '../reserve/index.ts'

/** Compares all terms of the plans, one plan a column. */
export function PlanComparison({ plans }: { plans: readonly Plan[] }) {
  const { data: coverage } = useQuery(coverageQueries.now())
  return (
    // A narrow screen scrolls the table, so the region can be focused with the keyboard.
    <section
      aria-label="Comparison of the plans"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus.
      tabIndex={0}
      className="overflow-x-auto rounded-card border border-line bg-surface"
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
                <span className="block font-semibold text-16">{getPlanName(plan)}</span>
                <span className="tabular font-semibold text-28 tracking-tight">
                  {formatPercent(plan.percentage)}
                </span>{' '}
                <span className="font-normal text-muted">over {formatTerm(plan)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Row name="You invest" plans={plans} cell={formatLimits} />
          <Row
            name="Profit credited"
            plans={plans}
            cell={({ timingParameter }) =>
              timingParameter === 'hours' ? 'Every hour' : 'Every day'
            }
          />
          <Row name="Of the minimum, you get back" plans={plans} cell={formatOutcome} />
          <Row
            name="Principal"
            plans={plans}
            cell={({ returnPrincipal }) =>
              returnPrincipal ? 'Returned at the end' : 'Not returned: you get back only the profit'
            }
          />
          <Row name="Before the end" plans={plans} cell={() => 'Your money is locked'} />
          <Row
            name="Reserve cover now"
            plans={plans}
            cell={() => (coverage === undefined ? '…' : `${coverage.percentage}%`)}
          />
          <Row name="Risk" plans={plans} cell={() => 'You can lose all the money you invest.'} />
          <Row
            name="Open an account"
            plans={plans}
            cell={() => <ButtonLink to="/users/register">Invest Now</ButtonLink>}
          />
        </tbody>
      </table>
    </section>
  )
}

type RowProps = { name: string; plans: readonly Plan[]; cell: (plan: Plan) => ReactNode }

function Row({ name, plans, cell }: RowProps) {
  return (
    <tr className="border-line border-t align-top">
      <th scope="row" className="p-4 font-normal text-muted">
        {name}
      </th>
      {plans.map((plan) => (
        <td key={plan.id} className="p-4">
          {cell(plan)}
        </td>
      ))}
    </tr>
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
