import { type Id, monthOf, utcDayOf, withdrawalRoom } from '@cairn/ledger-contracts'
import { type Context, type Refusal, refuse } from '../../log/model.ts'
import type { View } from '../../log/view.ts'
import { countedOf, type Investor, updateInvestor } from '../investors/investor.ts'
import type { Rules } from '../rules/money-rules.ts'
import { transactionTable } from '../transactions/transaction.ts'

/** Of two limits that are passed, the one that leaves less is told; of equals, the one that lasts longer. */
export function refuseBeyondLimits(
  investor: Investor,
  request: { rules: Rules; amountMinor: bigint; context: Context },
): { refusal: Refusal } | null {
  const { rules, amountMinor, context } = request
  const passed = withdrawalRoom(rules, countedOf(investor), context.effectiveAtMs)
    .filter(({ leftMinor }) => amountMinor > leftMinor)
    .reduce<ReturnType<typeof withdrawalRoom>[number] | null>(
      (tight, room) => (tight === null || room.leftMinor <= tight.leftMinor ? room : tight),
      null,
    )
  if (passed === null) return null
  const { period, limitMinor, leftMinor, renewsAt } = passed
  return refuse('WITHDRAWAL_LIMIT', `The amount is above what may be withdrawn in a ${period}`, {
    ...{ period, renewsAt, limitMinor: String(limitMinor), leftMinor: String(leftMinor) },
  })
}

interface Counted {
  investorId: Id
  /** Below zero: given back. */
  amountMinor: bigint
  /** When it was asked for. */
  atMs: number
}

/**
 * A request counts for its day and its month as long as it is not declined. Only the newest day and its
 * month are known: what belongs to an earlier one can be in nobody's way any more.
 */
export function countWithdrawal(view: View, { investorId, amountMinor, atMs }: Counted): void {
  const day = utcDayOf(atMs)
  updateInvestor(view, investorId, (investor) => {
    const { withdrawalDay, dayWithdrawalsMinor, monthWithdrawalsMinor } = investor
    const isLater = withdrawalDay === null || day > withdrawalDay
    const isSameMonth = withdrawalDay !== null && monthOf(day) === monthOf(withdrawalDay)
    const monthMinor = (isSameMonth ? monthWithdrawalsMinor : 0n) + amountMinor
    if (isLater) {
      return {
        withdrawalDay: day,
        dayWithdrawalsMinor: amountMinor,
        monthWithdrawalsMinor: monthMinor,
      }
    }
    return {
      ...(day === withdrawalDay && { dayWithdrawalsMinor: dayWithdrawalsMinor + amountMinor }),
      ...(isSameMonth && { monthWithdrawalsMinor: monthMinor }),
    }
  })
}

/** A known request is declined, or its decision reversed: it counts as of when it was asked for. */
export function countAgain(
  view: View,
  { transactionId, ...change }: Omit<Counted, 'atMs'> & { transactionId: Id },
): void {
  const row = view.find(transactionTable, transactionId)
  if (row === null) throw new Error(`transaction ${transactionId} is not in the ledger`)
  countWithdrawal(view, { ...change, atMs: row.createdAt })
}
