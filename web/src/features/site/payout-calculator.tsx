import { useState } from 'react'

import { formatSentenceDate } from '../../shared/dates/sentence-date.ts'
import { formatMoney, parseMoney, toAmountText, toMinor } from '../../shared/money/money.ts'
import { Field } from '../../shared/ui/field.tsx'
import { MoneyInput, Select } from '../../shared/ui/inputs.tsx'
import {
  computeLoss,
  computePayout,
  findDefaultPlan,
  findRefusal,
  getPlanName,
  type Plan,
} from '../plans/index.ts'

export function PayoutCalculator({ plans }: { plans: readonly Plan[] }) {
  const [planId, setPlanId] = useState(findDefaultPlan(plans)?.id)
  const plan = plans.find(({ id }) => id === planId) ?? findDefaultPlan(plans)
  const [typed, setTyped] = useState<string | null>(null)
  if (plan === undefined) return null
  const amountText = typed ?? toAmountText(toMinor(plan.minDeposit)).replace(/\.00$/, '')
  const refusal = findRefusal(plan, amountText, null)
  return (
    <div className="grid gap-6 rounded-card border border-line bg-surface p-5 sm:p-8 lg:grid-cols-[1fr_1fr_1.6fr] lg:items-start">
      <Field label="Plan">
        {(ids) => (
          <Select {...ids} value={plan.id} onChange={(event) => setPlanId(event.target.value)}>
            {plans.map((each) => (
              <option key={each.id} value={each.id}>
                {getPlanName(each)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Amount" error={refusal}>
        {(ids) => (
          <MoneyInput
            {...ids}
            value={amountText}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Field>
      <div aria-live="polite" className="grid gap-1 lg:pl-4">
        <Outcome plan={plan} amountText={amountText} isRefused={refusal !== null} />
        <p className="text-12 text-muted">
          Calculated from the terms of the plan. This is not a forecast. Profit is not guaranteed.
        </p>
      </div>
    </div>
  )
}

function Outcome({
  plan,
  amountText,
  isRefused,
}: {
  plan: Plan
  amountText: string
  isRefused: boolean
}) {
  const amount = parseMoney(amountText)
  if (amount === null || isRefused) {
    return <p className="text-20 text-muted">Enter an amount to see the payout.</p>
  }
  const { back, endsAtMs } = computePayout(plan, amount, Date.now())
  const loss = computeLoss(plan, amount)
  return (
    <p className="font-serif text-20">
      You pay {formatMoney(amount)}. You get back <strong>{formatMoney(back)}</strong> on{' '}
      {formatSentenceDate(endsAtMs)}.
      {loss > 0n && <strong className="text-declined"> You lose {formatMoney(loss)}.</strong>}
    </p>
  )
}
