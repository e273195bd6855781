import { CircleCheck, Clock } from 'lucide-react'

import { formatMoney } from '../../shared/money/money.ts'

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
    </div>
  )
}

export function PlanPicture() {
  return (
    <div className="grid gap-2">
      <p className="font-serif text-14">
        You pay {formatMoney(AMOUNT)}. By the last day, <strong>{formatMoney(105_000n)}</strong> is
        due to you in total.
      </p>
      <span className="flex h-8 w-fit items-center rounded-card bg-accent px-3 font-medium text-on-accent">
        Confirm
      </span>
    </div>
  )
}

export function ProfitPicture() {
  return (
    <div>
      {[1, 2, 3].map((day) => (
        <p key={day} className={LINE}>
          <span className="flex items-center gap-1.5">
            <CircleCheck className="size-4 text-success" />
            Profit, day {day}
          </span>
          <span className="tabular">+{formatMoney(day === 1 ? 166n : 167n)}</span>
        </p>
      ))}
    </div>
  )
}
