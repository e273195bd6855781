import type { Command, CommandType, EventType } from '@cairn/ledger-contracts'
import { type Model, refuse } from '../log/model.ts'
import type { View } from '../log/view.ts'
import { applyPostings, balanceTable, getBalance } from './accounts/account.ts'
import { controlTotalTable } from './accounts/control-total.ts'
import { accrueThrough, applyInvestmentMatured, applyProfitAccrued } from './accruals/accruing.ts'
import { applyAssetMoved, moveAsset } from './assets/asset-movement.ts'
import { applyCurrencyChosen, chooseCurrency, currencyTable } from './assets/currency.ts'
import { applyAuditSealed, auditSealTable, sealAudit } from './audit-log/audit-seal.ts'
import { listCommandsOf } from './command-of.ts'
import {
  addApprover,
  applyApproverAdded,
  applyApproverRemoved,
  applyDualControlSet,
  approverTable,
  dualControlTable,
  removeApprover,
  setDualControl,
} from './controls/approver.ts'
import { countControlledAct, guardDecision } from './controls/guard.ts'
import { soleActTable } from './controls/sole-acts.ts'
import type { Decider, Deciders, Evolve, Evolvers } from './decider.ts'
import {
  applyDepositApproved,
  applyDepositCancelled,
  applyDepositDeclined,
  applyDepositRequested,
  applyDepositReversed,
  approveDeposit,
  cancelDeposit,
  declineDeposit,
  requestDeposit,
  reverseDeposit,
} from './deposits/deposit.ts'
import { applyInvestmentCancelled, cancelInvestment } from './investments/cancellation.ts'
import { applyInvestmentDenied, denyInvestment } from './investments/denial.ts'
import { investmentTable } from './investments/investment.ts'
import { applyInvestmentOpened, openInvestment } from './investments/opening.ts'
import {
  activateInvestor,
  applyInvestorActivated,
  applyInvestorClosed,
  applyInvestorSuspended,
  closeInvestor,
  investorTable,
  suspendInvestor,
} from './investors/investor.ts'
import {
  activateModel,
  applyModelActivated,
  findVersionInForce,
  modelVersionTable,
} from './model-version/activation.ts'
import { applyMonthClosed, closeMonth, monthCloseTable } from './months/month-close.ts'
import { applyBalanceImported, importBalance } from './opening-balances/balance-import.ts'
import {
  applyImportPermitted,
  importedFileTable,
  permitImport,
} from './opening-balances/imported-file.ts'
import { applyPlanDefined, definePlan, planTable } from './plans/plan.ts'
import {
  applyReferralBonusForfeited,
  applyReferralBonusPaid,
  payReferralBonus,
} from './referrals/bonus.ts'
import {
  applyReserveFunded,
  applyReserveWithdrawn,
  applySweptToReserve,
  fundReserve,
  sweepToReserve,
  withdrawReserve,
} from './reserve/reserve.ts'
import { applyMoneyRulesSet, rulesTable, setMoneyRules } from './rules/money-rules.ts'
import {
  applyKeyRotationPermitted,
  keyRotationTable,
  permitKeyRotation,
} from './signing/key-rotation.ts'
import { applyKeyReplaced, replaceSigningKey } from './signing/signing-key.ts'
import { transactionTable } from './transactions/transaction.ts'
import { adjustWallet, applyWalletAdjusted } from './wallets/adjustment.ts'
import { applyWalletFunded, fundWallet } from './wallets/wallet.ts'
import {
  applyWithdrawalApproved,
  applyWithdrawalCancelled,
  applyWithdrawalDeclined,
  applyWithdrawalHeld,
  applyWithdrawalRequested,
  applyWithdrawalReversed,
  approveWithdrawal,
  cancelWithdrawal,
  declineWithdrawal,
  holdWithdrawal,
  requestWithdrawal,
  reverseWithdrawal,
} from './withdrawals/withdrawal.ts'

const deciders: Deciders = Object.freeze({
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
  ActivateModel: activateModel,
  ChooseCurrency: chooseCurrency,
  MoveAsset: moveAsset,
  PermitImport: permitImport,
  ImportBalance: importBalance,
  AdjustWallet: adjustWallet,
  OpenInvestment: openInvestment,
  AccrueThrough: accrueThrough,
  DenyInvestment: denyInvestment,
  CancelInvestment: cancelInvestment,
  PayReferralBonus: payReferralBonus,
  AddApprover: addApprover,
  RemoveApprover: removeApprover,
  SetDualControl: setDualControl,
  PermitKeyRotation: permitKeyRotation,
  SealAudit: sealAudit,
  CloseMonth: closeMonth,
  ReplaceSigningKey: replaceSigningKey,
})

const evolvers: Evolvers = {
  PlanDefined: applyPlanDefined,
  MoneyRulesSet: applyMoneyRulesSet,
  InvestorActivated: applyInvestorActivated,
  InvestorSuspended: applyInvestorSuspended,
  InvestorClosed: applyInvestorClosed,
  DepositRequested: applyDepositRequested,
  DepositApproved: applyDepositApproved,
  DepositDeclined: applyDepositDeclined,
  DepositCancelled: applyDepositCancelled,
  DepositReversed: applyDepositReversed,
  WithdrawalRequested: applyWithdrawalRequested,
  WithdrawalApproved: applyWithdrawalApproved,
  WithdrawalHeld: applyWithdrawalHeld,
  WithdrawalDeclined: applyWithdrawalDeclined,
  WithdrawalCancelled: applyWithdrawalCancelled,
  WithdrawalReversed: applyWithdrawalReversed,
  WalletFunded: applyWalletFunded,
  ReserveFunded: applyReserveFunded,
  ReserveWithdrawn: applyReserveWithdrawn,
  SweptToReserve: applySweptToReserve,
  ModelActivated: applyModelActivated,
  CurrencyChosen: applyCurrencyChosen,
  AssetMoved: applyAssetMoved,
  ImportPermitted: applyImportPermitted,
  BalanceImported: applyBalanceImported,
  WalletAdjusted: applyWalletAdjusted,
  InvestmentOpened: applyInvestmentOpened,
  ProfitAccrued: applyProfitAccrued,
  InvestmentMatured: applyInvestmentMatured,
  InvestmentDenied: applyInvestmentDenied,
  InvestmentCancelled: applyInvestmentCancelled,
  ReferralBonusPaid: applyReferralBonusPaid,
  ReferralBonusForfeited: applyReferralBonusForfeited,
  ApproverAdded: applyApproverAdded,
  ApproverRemoved: applyApproverRemoved,
  DualControlSet: applyDualControlSet,
  KeyRotationPermitted: applyKeyRotationPermitted,
  AuditSealed: applyAuditSealed,
  MonthClosed: applyMonthClosed,
  SigningKeyReplaced: applyKeyReplaced,
  LogForked: applyKeyReplaced,
}

/** One version of the rules. A version that was released never changes. */
export interface RulesVersion {
  readonly deciders: Deciders
  /** Refuses a decided event that lacks approvals. */
  readonly guard: typeof guardDecision
}

/**
 * A map from the number of each version of the rules to this version. The numbers begin at 1 and
 * have no gaps.
 */
export const RULES_VERSIONS: ReadonlyMap<number, RulesVersion> = new Map([
  [1, Object.freeze({ deciders, guard: guardDecision })],
])

const tables = [
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
  monthCloseTable,
  keyRotationTable,
  currencyTable,
  importedFileTable,
  modelVersionTable,
]

const pinned = [
  rulesTable,
  controlTotalTable,
  approverTable,
  dualControlTable,
  soleActTable,
  auditSealTable,
  monthCloseTable,
  keyRotationTable,
  currencyTable,
  importedFileTable,
  modelVersionTable,
]

/**
 * Creates the model. Each command is decided by the version of the rules that is in force in the
 * log.
 */
export function createModel(versions: ReadonlyMap<number, RulesVersion>): Model {
  function getRules(view: View): RulesVersion {
    const version = findVersionInForce(view)
    const rules = versions.get(version)
    if (rules === undefined)
      throw new Error(`this program does not know version ${version} of the rules`)
    return rules
  }
  /** The cast is safe, because the registry maps each type to its own decider. */
  function getDecider(type: Command['type'], view: View): Decider<CommandType> {
    return getRules(view).deciders[type] as Decider<CommandType>
  }

  return {
    version: Math.max(...versions.keys()),
    tables,
    pinned,
    needs: ({ type, data }, view) => getDecider(type, view).needs(data as never, view),
    decide: (command, view, context) => {
      if (context.effectiveAtMs > context.recordedAtMs) {
        return refuse('effectiveInFuture')
      }
      const decider = getDecider(command.type, view)
      const decision = decider.decide(command.data as never, view, context)
      if ('refusal' in decision) return decision
      return getRules(view).guard(decision, { command, view, context })
    },
    evolve: (event, view) => {
      applyPostings(event, view)
      countControlledAct(event, view)
      const evolve = evolvers[event.fact.type] as Evolve<EventType>
      evolve(event.fact.data as never, view, event)
    },
    findVersion: findVersionInForce,
    canDecide: ({ type, data }) => type !== 'ActivateModel' || versions.has(data.version),
    listCommandsOf,
    getBalance: getBalance,
  }
}

/** The deciders and evolvers of the product, which the writer runs. */
export const model = createModel(RULES_VERSIONS)
