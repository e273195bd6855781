import type {
  Command,
  CommandType,
  DataOf,
  EventDataOf,
  EventType,
  Fact,
} from '@cairn/ledger-contracts'
import type { View } from '../log/view.ts'
import { transactionTable } from './transactions/transaction.ts'

type Rebuilt = {
  [Type in CommandType]: { type: Type; data: DataOf<Type> }
}[CommandType]
type Rebuild<Type extends EventType> = (data: EventDataOf<Type>, view: View) => Rebuilt

/**
 * Rebuilds the command that led to an event, because verification decides each event again. Must
 * contain all event types, otherwise the code does not compile.
 */
const REBUILD: { readonly [Type in EventType]: Rebuild<Type> } = {
  PlanDefined: ({ planId, terms }) => ({ type: 'DefinePlan', data: { planId, terms } }),
  MoneyRulesSet: ({ rules }) => ({ type: 'SetMoneyRules', data: { rules } }),
  InvestorActivated: (data) => ({ type: 'ActivateInvestor', data }),
  InvestorSuspended: (data) => ({ type: 'SuspendInvestor', data }),
  InvestorClosed: (data) => ({ type: 'CloseInvestor', data }),
  DepositRequested: ({ feeMinor: _, feePpm: __, ...data }) => ({ type: 'RequestDeposit', data }),
  DepositApproved: ({ transactionId, amountMinor: approvedMinor, cash }) => ({
    type: 'ApproveDeposit',
    data: { transactionId, approvedMinor, paymentOptionId: cash },
  }),
  DepositDeclined: ({ transactionId, reason }) => ({
    type: 'DeclineDeposit',
    data: { transactionId, reason },
  }),
  DepositCancelled: ({ transactionId, investorId }) => ({
    type: 'CancelDeposit',
    data: { transactionId, investorId },
  }),
  DepositReversed: ({ transactionId, to, cash, reason }) => ({
    type: 'ReverseDeposit',
    data: { transactionId, to, paymentOptionId: cash, reason },
  }),
  WithdrawalRequested: ({ feeMinor: _, ...data }) => ({ type: 'RequestWithdrawal', data }),
  WithdrawalApproved: ({ transactionId, cash, payoutReference }, view) => ({
    type: 'ApproveWithdrawal',
    data: {
      transactionId,
      paymentOptionId: cash,
      payoutReference,
      // The decider compares the hash in the command with the hash in the withdrawal request. The
      // event therefore does not repeat the hash.
      bankAccountSha256: view.find(transactionTable, transactionId)?.bankAccountSha256 ?? '',
    },
  }),
  WithdrawalHeld: ({ transactionId, reason }) => ({
    type: 'HoldWithdrawal',
    data: { transactionId, reason },
  }),
  WithdrawalDeclined: ({ transactionId, reason }) => ({
    type: 'DeclineWithdrawal',
    data: { transactionId, reason },
  }),
  WithdrawalCancelled: ({ transactionId, investorId }) => ({
    type: 'CancelWithdrawal',
    data: { transactionId, investorId },
  }),
  WithdrawalReversed: ({ transactionId, to, cash, reason }) => ({
    type: 'ReverseWithdrawal',
    data: { transactionId, to, paymentOptionId: cash, reason },
  }),
  WalletFunded: (data) => ({ type: 'FundWallet', data }),
  ReserveFunded: (data) => ({ type: 'FundReserve', data }),
  ReserveWithdrawn: (data) => ({ type: 'WithdrawReserve', data }),
  SweptToReserve: (data) => ({ type: 'SweepToReserve', data }),
  ModelActivated: (data) => ({ type: 'ActivateModel', data }),
  CurrencyChosen: (data) => ({ type: 'ChooseCurrency', data }),
  AssetMoved: (data) => ({ type: 'MoveAsset', data }),
  ImportPermitted: (data) => ({ type: 'PermitImport', data }),
  BalanceImported: (data) => ({ type: 'ImportBalance', data }),
  WalletAdjusted: (data) => ({ type: 'AdjustWallet', data }),
  InvestmentOpened: ({ investmentId, investorId, planId, planVersion, principalMinor }) => ({
    type: 'OpenInvestment',
    data: { investmentId, investorId, planId, planVersion, amountMinor: principalMinor },
  }),
  ProfitAccrued: ({ investmentId, units }) => ({
    type: 'AccrueThrough',
    data: { investmentId, units },
  }),
  InvestmentMatured: ({ investmentId, units }) => ({
    type: 'AccrueThrough',
    data: { investmentId, units },
  }),
  InvestmentDenied: ({ investmentId, reason }) => ({
    type: 'DenyInvestment',
    data: { investmentId, reason },
  }),
  InvestmentCancelled: ({ investmentId, investorId }) => ({
    type: 'CancelInvestment',
    data: { investmentId, investorId },
  }),
  ReferralBonusPaid: ({ investmentId }) => ({ type: 'PayReferralBonus', data: { investmentId } }),
  ReferralBonusForfeited: ({ investmentId }) => ({
    type: 'PayReferralBonus',
    data: { investmentId },
  }),
  ApproverAdded: (data) => ({ type: 'AddApprover', data }),
  ApproverRemoved: (data) => ({ type: 'RemoveApprover', data }),
  DualControlSet: (data) => ({ type: 'SetDualControl', data }),
  MonthClosed: ({ liabilities: _, rules: __, ...data }) => ({ type: 'CloseMonth', data }),
  AuditSealed: (data) => ({ type: 'SealAudit', data }),
  KeyRotationPermitted: (data) => ({ type: 'PermitKeyRotation', data }),
  SigningKeyReplaced: (data) => ({ type: 'ReplaceSigningKey', data: { ...data, reason: null } }),
  LogForked: (data) => ({ type: 'ReplaceSigningKey', data }),
}

/**
 * Returns the type and data of a command that gives this event when it is decided on the state
 * before the event. Adds optional parts that the submitted command may have omitted.
 */
export function reconstructCommand(
  { type, data }: Fact,
  view: View,
): Pick<Command, 'type' | 'data'> {
  // The cast is safe, because `type` selects the function for this type of event.
  const rebuild = REBUILD[type] as (data: Fact['data'], view: View) => Rebuilt
  return rebuild(data, view)
}
