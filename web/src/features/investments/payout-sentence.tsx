import { formatDate } from '../../shared/dates/format-date.ts'
import { formatMoney, type Minor } from '../../shared/money/money.ts'
import { computeLoss, computePayout, type Plan } from '../plans/index.ts'

/** States the amount that will be due and its date before the user confirms the investment. */
export function PayoutSentence({ plan, amount }: { plan: Plan | null; amount: Minor | null }) {
  return (
    <div aria-live="polite" className="rounded-card bg-sunken px-4 py-3 text-14">
      {plan === null || amount === null ? (
        <p className="text-muted">
          {plan === null
            ? 'Select a plan and enter an amount to see the amount due to you and its date.'
            : 'Enter an amount to see the amount due to you and its date.'}
        </p>
      ) : (
        <Sentence plan={plan} amount={amount} />
      )}
    </div>
  )
}

function Sentence({ plan, amount }: { plan: Plan; amount: Minor }) {
  const { profit, back, returnsPrincipal, endsAtMs } = computePayout(plan, amount, Date.now())
  const date = formatDate(endsAtMs, 'day')
  const unit = plan.timingParameter === 'hours' ? 'hour' : 'day'
  const loss = computeLoss(plan, amount)
  return (
    <div className="grid gap-2">
      <p className="font-medium text-16">
        You pay {formatMoney(amount)}. By {date}, {formatMoney(back)} is due to you in total.
      </p>
      <p className="text-muted">
        {formatMoney(profit)} of profit is added to your Investment Profit {unit} by {unit}.{' '}
        {returnsPrincipal
          ? `Your ${formatMoney(amount)} is due to your Wallet Balance on ${date}.`
          : `Your ${formatMoney(amount)} is not returned.`}
      </p>
      {loss > 0n && <p className="font-medium text-declined">You lose {formatMoney(loss)}.</p>}
    </div>
  )
}
