import type { Command, CommandType, EventType } from '@cairn/ledger-contracts'
import { type Model, refuse } from '../log/model.ts'
import { balanceOf, balanceTable, evolveBalances } from './accounts/account.ts'
import { controlTotalTable } from './accounts/control-total.ts'
import { accrueThrough, investmentMatured, profitAccrued } from './accruals/accruing.ts'
import { auditSealed, auditSealTable, sealAudit } from './audit-log/audit-seal.ts'
import { commandOf } from './command-of.ts'
import {
  addApprover,
  approverAdded,
  approverRemoved,
  approverTable,
  dualControlSet,
  dualControlTable,
  removeApprover,
  setDualControl,
} from './controls/approver.ts'
import { countControlledAct, guardDecision } from './controls/guard.ts'
import { soleActTable } from './controls/sole-acts.ts'
import type { Decider, Deciders, Evolve, Evolvers } from './decider.ts'
import {
  approveDeposit,
  cancelDeposit,
  declineDeposit,
  depositApproved,
  depositCancelled,
  depositDeclined,
  depositRequested,
  depositReversed,
  requestDeposit,
  reverseDeposit,
} from './deposits/deposit.ts'
import { cancelInvestment, investmentCancelled } from './investments/cancellation.ts'
import { denyInvestment, investmentDenied } from './investments/denial.ts'
import { investmentTable } from './investments/investment.ts'
import { investmentOpened, openInvestment } from './investments/opening.ts'
import {
  activateInvestor,
  closeInvestor,
  investorActivated,
  investorClosed,
  investorSuspended,
  investorTable,
  suspendInvestor,
} from './investors/investor.ts'
import { definePlan, planDefined, planTable } from './plans/plan.ts'
import { payReferralBonus, referralBonusForfeited, referralBonusPaid } from './referrals/bonus.ts'
import {
  fundReserve,
  reserveFunded,
  reserveWithdrawn,
  sweepToReserve,
  sweptToReserve,
  withdrawReserve,
} from './reserve/reserve.ts'
import { moneyRulesSet, rulesTable, setMoneyRules } from './rules/money-rules.ts'
import { transactionTable } from './transactions/transaction.ts'
import { adjustWallet, walletAdjusted } from './wallets/adjustment.ts'
import { fundWallet, walletFunded } from './wallets/wallet.ts'
import {
  approveWithdrawal,
  cancelWithdrawal,
  declineWithdrawal,
  holdWithdrawal,
  requestWithdrawal,
  reverseWithdrawal,
  withdrawalApproved,
  withdrawalCancelled,
  withdrawalDeclined,
  withdrawalHeld,
  withdrawalRequested,
  withdrawalReversed,
} from './withdrawals/withdrawal.ts'

const deciders: Deciders = {
  DefinePlan: definePlan,
  SetMoneyRules: setMoneyRules,
  ActivateInvestor: activateInvestor,
  SuspendInvestor: suspendInvestor,
  CloseInvestor: closeInvestor,
  RequestDeposit: requestDeposit,
  ApproveDeposit: approveDeposit,
  DeclineDeposit: declineDeposit,
  CancelDeposit: cancelDeposit,
  ReverseDeposit: reverseDeposit,
  RequestWithdrawal: requestWithdrawal,
  ApproveWithdrawal: approveWithdrawal,
  HoldWithdrawal: holdWithdrawal,
  DeclineWithdrawal: declineWithdrawal,
  CancelWithdrawal: cancelWithdrawal,
  ReverseWithdrawal: reverseWithdrawal,
  FundWallet: fundWallet,
  FundReserve: fundReserve,
  WithdrawReserve: withdrawReserve,
  SweepToReserve: sweepToReserve,
  AdjustWallet: adjustWallet,
  OpenInvestment: openInvestment,
  AccrueThrough: accrueThrough,
  DenyInvestment: denyInvestment,
  CancelInvestment: cancelInvestment,
  PayReferralBonus: payReferralBonus,
  AddApprover: addApprover,
  RemoveApprover: removeApprover,
  SetDualControl: setDualControl,
  SealAudit: sealAudit,
}

const evolvers: Evolvers = {
  PlanDefined: planDefined,
  MoneyRulesSet: moneyRulesSet,
  InvestorActivated: investorActivated,
  InvestorSuspended: investorSuspended,
  InvestorClosed: investorClosed,
  DepositRequested: depositRequested,
  DepositApproved: depositApproved,
  DepositDeclined: depositDeclined,
  DepositCancelled: depositCancelled,
  DepositReversed: depositReversed,
  WithdrawalRequested: withdrawalRequested,
  WithdrawalApproved: withdrawalApproved,
  WithdrawalHeld: withdrawalHeld,
  WithdrawalDeclined: withdrawalDeclined,
  WithdrawalCancelled: withdrawalCancelled,
  WithdrawalReversed: withdrawalReversed,
  WalletFunded: walletFunded,
  ReserveFunded: reserveFunded,
  ReserveWithdrawn: reserveWithdrawn,
  SweptToReserve: sweptToReserve,
  WalletAdjusted: walletAdjusted,
  InvestmentOpened: investmentOpened,
  ProfitAccrued: profitAccrued,
  InvestmentMatured: investmentMatured,
  InvestmentDenied: investmentDenied,
  InvestmentCancelled: investmentCancelled,
  ReferralBonusPaid: referralBonusPaid,
  ReferralBonusForfeited: referralBonusForfeited,
  ApproverAdded: approverAdded,
  ApproverRemoved: approverRemoved,
  DualControlSet: dualControlSet,
  AuditSealed: auditSealed,
}

/** All deciders and evolvers of the product, as the writer runs them. */
export const model: Model = {
  tables: [
    balanceTable,
    investorTable,
    planTable,
    rulesTable,
    transactionTable,
    investmentTable,
    controlTotalTable,
    approverTable,
    dualControlTable,
    soleActTable,
    auditSealTable,
  ],
  pinned: [
    rulesTable,
    controlTotalTable,
    approverTable,
    dualControlTable,
    soleActTable,
    auditSealTable,
  ],
  needs: ({ type, data }, view) => deciderOf(type).needs(data as never, view),
  decide: (command, view, context) => {
    if (context.effectiveAtMs > context.recordedAtMs) {
      return refuse('effectiveInFuture')
    }
    const decision = deciderOf(command.type).decide(command.data as never, view, context)
    if ('refusal' in decision) return decision
    return guardDecision(decision, { command, view, context })
  },
  evolve: (event, view) => {
    evolveBalances(event, view)
    countControlledAct(event, view)
    const evolve = evolvers[event.fact.type] as Evolve<EventType>
    evolve(event.fact.data as never, view, event)
  },
  commandOf,
  balanceOf,
}

/** The cast holds because the registry maps each type to its own decider. */
function deciderOf(type: Command['type']): Decider<CommandType> {
  return deciders[type] as Decider<CommandType>
}
