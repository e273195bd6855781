import type {
  Asset,
  EventDataOf,
  EventType,
  Fact,
  MoneyRules,
  PlanTerms,
} from '@cairn/ledger-contracts'
import type { View } from '../../log/view.ts'
import { planTable } from '../plans/plan.ts'
import { findRulesInForce } from '../rules/money-rules.ts'
import { transactionTable } from '../transactions/transaction.ts'

/** The approvers that an event needs. */
export interface Need {
  /** The money that counts against the approval threshold; null if the event moves no money. */
  amountMinor: bigint | null
  /** The asset of the amount. Null means the currency of the ledger. */
  asset: Asset | null
  /** True if the event needs two approvers at any amount. */
  isAlways: boolean
}

type NeedOf<Type extends EventType> =
  | ((data: EventDataOf<Type>, view: View, actor: string) => Need)
  | null

/**
 * For each event type, computes which approvers the event needs. Null if events of the type need no
 * approver.
 */
const CONTROLLED: { readonly [Type in EventType]: NeedOf<Type> } = {
  PlanDefined: ({ planId, terms }, view) => {
    const known = view.find(planTable, planId)
    return toControlNeed(known === null || isDebtRaised(known, terms))
  },
  MoneyRulesSet: ({ rules }, view) =>
    toControlNeed(isControlWeakened(findRulesInForce(view), rules)),
  InvestorActivated: null,
  InvestorSuspended: null,
  InvestorClosed: null,
  DepositRequested: null,
  DepositApproved: ({ amountMinor }) => toMoneyNeed(amountMinor),
  DepositDeclined: null,
  DepositCancelled: null,
  DepositReversed: findReversalNeed,
  WithdrawalRequested: null,
  WithdrawalApproved: ({ transactionId, amountMinor }, view) => {
    const isHeld = view.find(transactionTable, transactionId)?.holdReason !== null
    return { amountMinor, asset: null, isAlways: isHeld }
  },
  WithdrawalHeld: null,
  WithdrawalDeclined: null,
  WithdrawalCancelled: null,
  WithdrawalReversed: findReversalNeed,
  WalletFunded: ({ amountMinor }) => toMoneyNeed(amountMinor),
  WalletAdjusted: ({ amountMinor }) => toMoneyNeed(amountMinor),
  ReserveFunded: ({ amountMinor }) => toMoneyNeed(amountMinor),
  ReserveWithdrawn: ({ amountMinor }) => toMoneyNeed(amountMinor),
  SweptToReserve: ({ amountMinor }) => toMoneyNeed(amountMinor),
  CurrencyChosen: () => toControlNeed(false),
  ModelActivated: () => toControlNeed(true),
  AssetMoved: ({ asset, amountMinor }, view) => {
    const hasThreshold = findRulesInForce(view).approvalThresholdMinor !== null
    // The threshold is an amount in the currency of the ledger and cannot limit other assets. While
    // a threshold is set, movements of other assets therefore always need two approvers.
    return { amountMinor, asset, isAlways: hasThreshold }
  },
  ImportPermitted: () => toControlNeed(true),
  // The decider requires a permission to import the file. Two administrators approve this
  // permission once, so the lines of the file need no approval.
  BalanceImported: null,
  InvestmentOpened: null,
  ProfitAccrued: null,
  InvestmentMatured: null,
  InvestmentCancelled: null,
  ReferralBonusPaid: null,
  ReferralBonusForfeited: null,
  InvestmentDenied: ({ principalMinor }) => toMoneyNeed(principalMinor),
  ApproverAdded: () => toControlNeed(true),
  ApproverRemoved: () => toControlNeed(true),
  DualControlSet: ({ mode }) => toControlNeed(mode === 'single'),
  KeyRotationPermitted: () => toControlNeed(true),
  AuditSealed: null,
  MonthClosed: null,
  SigningKeyReplaced: null,
  LogForked: null,
}

/**
 * Returns the approvers that the event needs, or null if it needs none. Must be called before the
 * event changes the view.
 */
export function findApprovalNeed(fact: Fact, view: View, actor: string): Need | null {
  // The cast is safe, because `type` selects the entry of this type.
  const needOf = CONTROLLED[fact.type] as
    | ((data: Fact['data'], view: View, actor: string) => Need)
    | null
  return needOf === null ? null : needOf(fact.data, view, actor)
}

function toMoneyNeed(amountMinor: bigint): Need {
  return { amountMinor, asset: null, isAlways: false }
}

function toControlNeed(isAlways: boolean): Need {
  return { amountMinor: null, asset: null, isAlways }
}

/** While a threshold is set, administrators cannot reverse their own decisions alone. */
function findReversalNeed(
  { transactionId, amountMinor }: { transactionId: string; amountMinor: bigint },
  view: View,
  actor: string,
): Need {
  const isOwn = view.find(transactionTable, transactionId)?.decidedBy === actor
  const hasThreshold = findRulesInForce(view).approvalThresholdMinor !== null
  return { amountMinor, asset: null, isAlways: isOwn && hasThreshold }
}

/**
 * True if the new terms can cost the operator more than the current terms of the plan, or if they
 * reopen the plan.
 */
function isDebtRaised(known: PlanTerms, terms: PlanTerms): boolean {
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

function isControlWeakened(known: MoneyRules, rules: MoneyRules): boolean {
  return (
    isRaised(known.approvalThresholdMinor, rules.approvalThresholdMinor) ||
    isRaised(known.dailyWithdrawalLimitMinor, rules.dailyWithdrawalLimitMinor) ||
    isRaised(known.monthlyWithdrawalLimitMinor, rules.monthlyWithdrawalLimitMinor) ||
    rules.coolingOffHours < known.coolingOffHours ||
    // Enabling referrals weakens a control, because referral bonuses increase the operator's debt.
    (rules.isReferralEnabled && !known.isReferralEnabled) ||
    (known.coverageMode === 'strict' && rules.coverageMode === 'disclose')
  )
}

/** True if a limit was raised or removed, which weakens the control. Null means no limit. */
function isRaised(known: bigint | null, next: bigint | null): boolean {
  return known !== null && (next === null || next > known)
}
