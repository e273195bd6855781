import type { EventDataOf, EventType, Fact, MoneyRules, PlanTerms } from '@cairn/ledger-contracts'
import type { View } from '../../log/view.ts'
import { planTable } from '../plans/plan.ts'
import { findRulesInForce } from '../rules/money-rules.ts'
import { transactionTable } from '../transactions/transaction.ts'

/** The approvers that an event needs. */
export interface Need {
  /** Money that counts against the approval threshold; null: the event moves none. */
  amountMinor: bigint | null
  /** True if the event needs two approvers at any amount. */
  isAlways: boolean
}

type NeedOf<Type extends EventType> =
  | ((data: EventDataOf<Type>, view: View, actor: string) => Need)
  | null

/** The need of each event type; null: events of this type need no approver. */
const CONTROLLED: { readonly [Type in EventType]: NeedOf<Type> } = {
  PlanDefined: ({ planId, terms }, view) => {
    const known = view.find(planTable, planId)
    return toControl(known === null || raisesDebt(known, terms))
  },
  MoneyRulesSet: ({ rules }, view) => toControl(weakensControl(findRulesInForce(view), rules)),
  InvestorActivated: null,
  InvestorSuspended: null,
  InvestorClosed: null,
  DepositRequested: null,
  DepositApproved: ({ amountMinor }) => toMoney(amountMinor),
  DepositDeclined: null,
  DepositCancelled: null,
  DepositReversed: reversalNeed,
  WithdrawalRequested: null,
  WithdrawalApproved: ({ transactionId, amountMinor }, view) => {
    const isHeld = view.find(transactionTable, transactionId)?.holdReason !== null
    return { amountMinor, isAlways: isHeld }
  },
  WithdrawalHeld: null,
  WithdrawalDeclined: null,
  WithdrawalCancelled: null,
  WithdrawalReversed: reversalNeed,
  WalletFunded: ({ amountMinor }) => toMoney(amountMinor),
  WalletAdjusted: ({ amountMinor }) => toMoney(amountMinor),
  ReserveFunded: ({ amountMinor }) => toMoney(amountMinor),
  ReserveWithdrawn: ({ amountMinor }) => toMoney(amountMinor),
  SweptToReserve: ({ amountMinor }) => toMoney(amountMinor),
  InvestmentOpened: null,
  ProfitAccrued: null,
  InvestmentMatured: null,
  InvestmentCancelled: null,
  ReferralBonusPaid: null,
  ReferralBonusForfeited: null,
  InvestmentDenied: ({ principalMinor }) => toMoney(principalMinor),
  ApproverAdded: () => toControl(true),
  ApproverRemoved: () => toControl(true),
  DualControlSet: ({ mode }) => toControl(mode === 'single'),
  AuditSealed: null,
}

/** Returns null if the event is not controlled. Call it before the event changes the view. */
export function findNeed(fact: Fact, view: View, actor: string): Need | null {
  // The cast holds because the type selects the entry of the table.
  const needOf = CONTROLLED[fact.type] as
    | ((data: Fact['data'], view: View, actor: string) => Need)
    | null
  return needOf === null ? null : needOf(fact.data, view, actor)
}

function toMoney(amountMinor: bigint): Need {
  return { amountMinor, isAlways: false }
}

function toControl(isAlways: boolean): Need {
  return { amountMinor: null, isAlways }
}

/** While a threshold is set, an administrator cannot reverse an own decision alone. */
function reversalNeed(
  { transactionId, amountMinor }: { transactionId: string; amountMinor: bigint },
  view: View,
  actor: string,
): Need {
  const isOwn = view.find(transactionTable, transactionId)?.decidedBy === actor
  const hasThreshold = findRulesInForce(view).approvalThresholdMinor !== null
  return { amountMinor, isAlways: isOwn && hasThreshold }
}

/** True if the new terms can cost the operator more than the current ones, or reopen the plan. */
function raisesDebt(known: PlanTerms, terms: PlanTerms): boolean {
  return (
    terms.profitPpm > known.profitPpm ||
    terms.referralBonusPpm > known.referralBonusPpm ||
    terms.duration !== known.duration ||
    terms.unit !== known.unit ||
    (terms.returnPrincipal && !known.returnPrincipal) ||
    isRaised(known.maximumMinor, terms.maximumMinor) ||
    (known.isArchived && !terms.isArchived)
  )
}

function weakensControl(known: MoneyRules, rules: MoneyRules): boolean {
  return (
    isRaised(known.approvalThresholdMinor, rules.approvalThresholdMinor) ||
    isRaised(known.dailyWithdrawalLimitMinor, rules.dailyWithdrawalLimitMinor) ||
    isRaised(known.monthlyWithdrawalLimitMinor, rules.monthlyWithdrawalLimitMinor) ||
    rules.coolingOffHours < known.coolingOffHours ||
    (known.coverageMode === 'strict' && rules.coverageMode === 'disclose')
  )
}

/** True if a limit was raised or removed (null: no limit), which weakens the control. */
function isRaised(known: bigint | null, next: bigint | null): boolean {
  return known !== null && (next === null || next > known)
}
