import { useQuery } from '@tanstack/react-query'
import { CircleCheck, Clock } from 'lucide-react'

import { formatSentenceDate } from '../../shared/dates/sentence-date.ts'
import { formatMoney } from '../../shared/money/money.ts'
import { computePayout, getPlanName, type Plan, planQueries } from '../plans/index.ts'
import { ContentMark } from './content-mark.tsx'
import { findReason } from './plan-rows.tsx'

const AMOUNT = 100_000n
const LINE = 'flex items-center justify-between gap-3 border-line border-t py-1.5 first:border-t-0'

/** The four boxes for the digits of the code that confirms an email address. */
export function AccountPicture() {
  return (
    <div className="grid gap-2">
      <span className="text-muted">Four-digit code</span>
      <span className="flex gap-2">
        {['4', '1', '7', ''].map((digit) => (
          <span
            key={digit}
            className="tabular grid h-11 w-10 place-content-center rounded-card border border-line-strong font-medium text-20"
          >
            {digit}
          </span>
        ))}
      </span>
    </div>
  )
}

export function DepositPicture() {
  return (
    <div>
      <p className={LINE}>
        <span className="font-medium text-14">Deposit</span>
        <span className="flex items-center gap-1 rounded-full bg-pending-soft px-2 py-1 font-medium text-pending">
          <Clock className="size-3.5" />
          Pending
        </span>
      </p>
      <p className={LINE}>
        <span className="text-muted">Amount</span>
        <span className="tabular">{formatMoney(AMOUNT)}</span>
      </p>
      <p className={LINE}>
        <span className="text-muted">Fee</span>
        <span className="tabular">{formatMoney(0n)}</span>
      </p>
      <Sample />
    </div>
  )
}

/**
 * Shows the confirmation of the first plan of days that accepts the amount of the deposit. While no
 * such plan is known, the picture says what the confirmation states. The height is the same.
 */
export function PlanPicture() {
  const plans = useQuery(planQueries.listPlans()).data
  const plan = plans?.find(
    (each) => each.timingParameter === 'days' && findReason(each, AMOUNT) === null,
  )
  return (
    <div className="grid gap-2">
      <p className="min-h-15 font-serif text-14">
        {plan === undefined ? (
          <span>
            You pay {formatMoney(AMOUNT)}. The amount due to you and its date appear here.
          </span>
        ) : (
          <PlanSentence plan={plan} />
        )}
      </p>
      <span className="flex items-center justify-between">
        <span className="flex h-8 items-center rounded-card bg-accent px-3 font-medium text-on-accent">
          Confirm
        </span>
        <Sample />
      </span>
    </div>
  )
}

/**
 * This is a component, so that React adds a new element. If the text of the other one changed, the
 * browser would count a layout shift.
 */
function PlanSentence({ plan }: { plan: Plan }) {
  const { back, endsAtMs } = computePayout(plan, AMOUNT, Date.now())
  return (
    <span>
      {getPlanName(plan)}: you pay {formatMoney(AMOUNT)}. By {formatSentenceDate(endsAtMs)},{' '}
      <strong>{formatMoney(back)}</strong> is due to you in total.
    </span>
  )
}

export function ProfitPicture() {
  return (
    <div>
      {['Day 1', 'Day 2', 'Day 3'].map((day, index) => (
        <p key={day} className={LINE}>
          <span className="flex items-center gap-1.5">
            <CircleCheck className="size-4 text-success" />
            Profit, {day.toLowerCase()}
          </span>
          <span className="tabular">+{formatMoney(index === 0 ? 166n : 167n)}</span>
        </p>
      ))}
      <Sample />
    </div>
  )
}

/** Says at the right end of a picture that its figures are invented. */
function Sample() {
  return (
    <span className="flex justify-end">
      <ContentMark text="Sample" />
    </span>
  )
}
