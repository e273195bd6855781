import {
  computeWithdrawalAllowances,
  formatUtcDay,
  getMonth,
  type Id,
} from '@cairn/ledger-contracts'
import { type Context, type Refusal, refuse } from '../../log/model.ts'
import type { View } from '../../log/view.ts'
import { type Investor, readCountedWithdrawals, updateInvestor } from '../investors/investor.ts'
import type { Rules } from '../rules/money-rules.ts'
import { transactionTable } from '../transactions/transaction.ts'

/**
 * Returns the refusal for the exceeded limit that has the smallest amount left. If two limits have
 * the same amount left, returns the refusal for the limit with the longer period.
 */
export function refuseBeyondLimits(
  investor: Investor,
  request: { rules: Rules; amountMinor: bigint; context: Context },
): { refusal: Refusal } | null {
  const { rules, amountMinor, context } = request
  const exceeded = computeWithdrawalAllowances(
    rules,
    readCountedWithdrawals(investor),
    context.effectiveAtMs,
  )
    .filter(({ leftMinor }) => amountMinor > leftMinor)
    .reduce<ReturnType<typeof computeWithdrawalAllowances>[number] | null>(
      (tightest, room) =>
        tightest === null || room.leftMinor <= tightest.leftMinor ? room : tightest,
      null,
    )
  if (exceeded === null) return null
  const { period, limitMinor, leftMinor, renewsAt } = exceeded
  return refuse('withdrawalLimit', {
    period,
    renewsAt,
    limitMinor: String(limitMinor),
    leftMinor: String(leftMinor),
  })
}

interface Counted {
  investorId: Id
  /**
   * The amount to add to the counted amounts. It is negative for a withdrawal that will not be
   * paid.
   */
  amountMinor: bigint
  /** The time at which the withdrawal was requested. */
  atMs: number
}

/**
 * Counts a withdrawal in the day and month of its request. Only the newest day and its month are
 * stored, because only these periods limit new requests.
 */
export function countWithdrawal(view: View, { investorId, amountMinor, atMs }: Counted): void {
  const day = formatUtcDay(atMs)
  updateInvestor(view, investorId, (investor) => {
    const { withdrawalDay, dayWithdrawalsMinor, monthWithdrawalsMinor } = investor
    const isLater = withdrawalDay === null || day > withdrawalDay
    const isSameMonth = withdrawalDay !== null && getMonth(day) === getMonth(withdrawalDay)
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

/**
 * Adds the amount to the counted amounts of the day and month in which the withdrawal was
 * requested. Called after a decline or a reversal.
 */
export function adjustWithdrawalCount(
  view: View,
  { transactionId, ...change }: Omit<Counted, 'atMs'> & { transactionId: Id },
): void {
  const row = view.find(transactionTable, transactionId)
  if (row === null) throw new Error(`transaction ${transactionId} is not in the ledger`)
  countWithdrawal(view, { ...change, atMs: row.createdAt })
}
