import { type ReactNode, useState } from 'react'

import { formatSentenceDate } from '../../shared/dates/sentence-date.ts'
import {
  formatMoney,
  formatMoneyBriefly,
  type Minor,
  parseMoney,
  toMinor,
} from '../../shared/money/money.ts'
import { formatPercent } from '../../shared/money/percent.ts'
import { ButtonLink } from '../../shared/ui/button.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { MoneyInput } from '../../shared/ui/money-input.tsx'
import { TermInfo } from '../../shared/ui/term-info.tsx'
import {
  computeLoss,
  computePayout,
  formatLimits,
  formatTerm,
  getPlanName,
  type Plan,
} from '../plans/index.ts'

const HEADERS = ['Plan', 'Term', 'Profit', 'Due to you', 'Limits', 'Principal'] as const
const COLUMNS = 'lg:grid-cols-[1.3fr_0.8fr_1.1fr_1.5fr_1.3fr_1fr_auto]'

/** Shows the payout of each plan for one amount that the visitor types. */
export function PlanRows({ plans }: { plans: readonly Plan[] }) {
  const [typed, setTyped] = useState('1,000')
  const amount = parseMoney(typed.replaceAll(',', ''))
  const isAmount = amount !== null && amount > 0n
  return (
    <div className="grid gap-5">
      <Field
        label="If you invest"
        error={isAmount ? null : 'Enter an amount with at most two decimals'}
        className="max-w-56"
      >
        {(ids) => (
          <MoneyInput {...ids} value={typed} onChange={(event) => setTyped(event.target.value)} />
        )}
      </Field>
      <p className="max-w-[64ch] text-14">
        With every plan you can lose all the money you invest, and the amount you invest is locked
        until the end of the term.
      </p>
      <div className="overflow-hidden rounded-card border border-line bg-surface">
        {/* Each row names its facts for screen readers, so only the explanation is read here. */}
        <div
          className={`hidden gap-x-5 bg-sunken px-5 py-2.5 font-medium text-12 text-muted lg:grid ${COLUMNS}`}
        >
          {HEADERS.map((header) => (
            <span key={header}>
              <span aria-hidden="true">{header}</span>
              {header === 'Principal' && <TermInfo term="principal" />}
            </span>
          ))}
          <span className="w-28" />
        </div>
        <ul className="divide-y divide-line">
          {plans.map((plan) => (
            <PlanRow
              key={plan.id}
              plan={plan}
              amount={amount}
              refusal={findReason(plan, isAmount ? amount : null)}
            />
          ))}
        </ul>
      </div>
      <p className="text-12 text-muted">
        Calculated from the terms of each plan, for an investment that starts today. This is not a
        forecast. Profit is not guaranteed.
      </p>
    </div>
  )
}

/**
 * Returns the reason why this amount cannot be invested in the plan. Returns null if it can be
 * invested.
 */
function findReason({ minDeposit, maxDeposit }: Plan, amount: Minor | null): string | null {
  if (amount === null) return 'Enter an amount'
  const min = toMinor(minDeposit)
  if (amount < min) return `Below ${formatMoneyBriefly(min)} minimum`
  const max = maxDeposit === null ? null : toMinor(maxDeposit)
  return max !== null && amount > max ? `Above ${formatMoneyBriefly(max)} maximum` : null
}

type PlanRowProps = { plan: Plan; amount: Minor | null; refusal: string | null }

function PlanRow({ plan, amount, refusal }: PlanRowProps) {
  return (
    <li className="wrap-anywhere grid gap-3 px-5 py-4 text-14">
      <div
        className={`grid items-baseline gap-x-5 gap-y-2 sm:max-lg:grid-cols-2 sm:max-lg:gap-x-12 ${COLUMNS}`}
      >
        <h3 className="font-semibold text-16 sm:max-lg:col-span-2">{getPlanName(plan)}</h3>
        <dl className="contents">
          <Fact name="Term">{formatTerm(plan)}</Fact>
          {amount === null || refusal !== null ? (
            <>
              <Fact name="Profit">{formatPercent(plan.percentage)}</Fact>
              <Fact name="Due to you">
                <span className="text-muted">{refusal}</span>
              </Fact>
            </>
          ) : (
            <Outcome plan={plan} amount={amount} />
          )}
          <Fact name="Limits">{formatLimits(plan)}</Fact>
          <Fact name="Principal" info={<TermInfo term="principal" />}>
            {plan.returnPrincipal ? 'Due at the end' : 'Not returned: only the profit'}
          </Fact>
        </dl>
        <ButtonLink to="/users/register" className="max-lg:mt-2 sm:max-lg:justify-self-end lg:w-28">
          Invest Now
        </ButtonLink>
      </div>
      {amount !== null && refusal === null && <Loss plan={plan} amount={amount} />}
    </li>
  )
}

function Outcome({ plan, amount }: { plan: Plan; amount: Minor }) {
  const { profit, back, endsAtMs } = computePayout(plan, amount, Date.now())
  return (
    <>
      <Fact name="Profit">
        <span className="tabular">{formatMoney(profit)}</span>{' '}
        <span className="text-muted">({formatPercent(plan.percentage)})</span>
      </Fact>
      <Fact name="Due to you">
        <strong className="tabular">{formatMoney(back)}</strong>{' '}
        <span className="whitespace-nowrap text-muted">by {formatSentenceDate(endsAtMs)}</span>
      </Fact>
    </>
  )
}

/** States the loss if the plan pays back less than the investor pays in. */
function Loss({ plan, amount }: { plan: Plan; amount: Minor }) {
  const loss = computeLoss(plan, amount)
  if (loss <= 0n) return null
  return (
    <p className="text-12 text-declined">
      <strong>You lose {formatMoney(loss)}.</strong> This plan pays back less than you invest.
    </p>
  )
}

/** Above the rows of a wide screen, a header has the name and its explanation, `info`. */
function Fact({ name, info, children }: { name: string; info?: ReactNode; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4 lg:block">
      <dt className="shrink-0 text-muted lg:sr-only">
        {name}
        {info !== undefined && <span className="lg:hidden">{info}</span>}
      </dt>
      <dd className="min-w-0 text-right lg:text-left">{children}</dd>
    </div>
  )
}
