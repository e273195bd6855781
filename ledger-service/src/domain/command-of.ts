import type { CommandType, DataOf, EventDataOf, EventType, Fact } from '@cairn/ledger-contracts'
import type { PossibleCommands } from '../log/model.ts'
import type { View } from '../log/view.ts'
import { planTable } from './plans/plan.ts'
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
      // The decider compares this hash with the hash in the withdrawal request, so the event does
      // not repeat it. The request hash of the event covers the hash that was submitted.
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

/** The decider then uses the payment option of the request. */
const WITHOUT_OPTION = () => ({ paymentOptionId: null })

/**
 * The parts of a command that its event does not repeat as they were submitted, with the other value
 * that they can have had.
 */
const OTHER_PARTS: {
  readonly [Type in CommandType]?: (data: DataOf<Type>, view: View) => Partial<DataOf<Type>>
} = {
  ApproveDeposit: WITHOUT_OPTION,
  ReverseDeposit: WITHOUT_OPTION,
  ApproveWithdrawal: WITHOUT_OPTION,
  ReverseWithdrawal: WITHOUT_OPTION,
  OpenInvestment: () => ({ planVersion: null }),
  DefinePlan: ({ planId }, view) => ({ seen: view.find(planTable, planId)?.version ?? 0 }),
}

/**
 * Commands with a part that can have had any other value: the referrer, which the event repeats only
 * if the ledger knows it and the investor had none, and the time of an accrual. What the decider does
 * with this part follows from the event and the state.
 */
const PARTS_UNKNOWN: ReadonlySet<CommandType> = new Set(['ActivateInvestor', 'AccrueThrough'])

/**
 * Returns the type and data of the commands that can give this event when they are decided on the
 * state before the event. The request hash of the event says which of them was submitted.
 */
export function listCommandsOf({ type, data }: Fact, view: View): PossibleCommands {
  // The casts are safe, because `type` selects the functions for this type of event and command.
  const rebuild = REBUILD[type] as (data: Fact['data'], view: View) => Rebuilt
  const command = rebuild(data, view)
  const isComplete = !PARTS_UNKNOWN.has(command.type)
  const getOtherParts = OTHER_PARTS[command.type] as
    | ((data: Rebuilt['data'], view: View) => object)
    | undefined
  if (getOtherParts === undefined) return { commands: [command], isComplete }
  const other = { ...command.data, ...getOtherParts(command.data, view) }
  return { commands: [command, { type: command.type, data: other } as Rebuilt], isComplete }
}
