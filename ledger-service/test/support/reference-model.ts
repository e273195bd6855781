import type { Command, DataOf } from '@cairn/ledger-contracts'
import {
  formatAccount,
  getBalance,
  postAmount,
  type ReferenceBooks,
  type Verdict,
} from './reference-books.ts'
import {
  addApprover,
  findApprovalProblem,
  listPeople,
  recordAct,
  removeApprover,
  setDualControl,
  toAct,
} from './reference-controls.ts'
import {
  accrueThrough,
  cancelInvestment,
  denyInvestment,
  openInvestment,
  payReferralBonus,
} from './reference-investments.ts'
import { importBalance, permitImport } from './reference-opening.ts'
import {
  addTransaction,
  adjust,
  approveDeposit,
  approveWithdrawal,
  cancelRequest,
  decline,
  holdWithdrawal,
  requestDeposit,
  requestWithdrawal,
  reverseTransaction,
} from './reference-requests.ts'

export interface ReferenceTime {
  nowMs: number
  /** True if the approvals were given for this command and not for another command. */
  isOfThisCommand: boolean
}

/** Applies the command to the reference books if the rules allow it. */
export function submitToReference(
  books: ReferenceBooks,
  command: Command,
  time: ReferenceTime,
): Verdict {
  books.changed.clear()
  const verdict = applyCommand(structuredClone(books), command, time.nowMs)
  if (verdict !== 'recorded') return verdict
  const why = findApprovalProblem(books, command, time)
  if (why !== null) return why
  const act = toAct(books, command)
  recordAct(books, command, act, time.nowMs)
  return applyCommand(books, command, time.nowMs)
}

/** Applies the command to the books without checking its approvals. */
function applyCommand(books: ReferenceBooks, command: Command, nowMs: number): Verdict {
  // The reference records the administrator who approved last as the administrator who decided.
  const actor = listPeople(command).at(-1) ?? command.actor
  switch (command.type) {
    case 'DefinePlan':
      return definePlan(books, command.data)
    case 'SetMoneyRules':
      books.rules = command.data.rules
      return 'recorded'
    case 'ActivateInvestor':
      return activateInvestor(books, command.data)
    case 'SuspendInvestor':
      return suspend(books, command.data)
    case 'CloseInvestor':
      return close(books, command.data.investorId)
    case 'RequestDeposit':
      return requestDeposit(books, command.data, actor)
    case 'ApproveDeposit':
      return approveDeposit(books, command.data, actor)
    case 'DeclineDeposit':
      return decline(books, { ...command.data, actor }, 'deposit')
    case 'CancelDeposit':
      return cancelRequest(books, command.data, 'deposit')
    case 'ReverseDeposit':
      return reverseTransaction(books, { ...command.data, actor }, 'deposit')
    case 'RequestWithdrawal':
      return requestWithdrawal(books, command.data, { actor, sender: command.actor })
    case 'ApproveWithdrawal':
      return approveWithdrawal(books, command.data, actor)
    case 'DeclineWithdrawal':
      return decline(books, { ...command.data, actor }, 'withdrawal')
    case 'CancelWithdrawal':
      return cancelRequest(books, command.data, 'withdrawal')
    case 'ReverseWithdrawal':
      return reverseTransaction(books, { ...command.data, actor }, 'withdrawal')
    case 'HoldWithdrawal':
      return holdWithdrawal(books, command.data.transactionId)
    case 'AdjustWallet':
      return adjust(books, command.data)
    case 'AddApprover':
      return addApprover(books, command.data, nowMs)
    case 'RemoveApprover':
      return removeApprover(books, command.data, command.actor)
    case 'SetDualControl':
      return setDualControl(books, command.data)
    case 'SealAudit':
      if (command.data.count <= books.sealedRows) return 'AUDIT_SEAL_CONFLICT'
      books.sealedRows = command.data.count
      return 'recorded'
    case 'CloseMonth':
      return closeMonth(books, command.data, nowMs)
    case 'PermitKeyRotation':
      return 'recorded'
    case 'PermitImport':
      return permitImport(books, command, nowMs)
    case 'ImportBalance':
      return importBalance(books, command.data, nowMs)
    case 'ActivateModel':
      return 'MODEL_CONFLICT'
    case 'ChooseCurrency':
      // The first commands of each run move money, so the currency can no longer be chosen.
      return 'CURRENCY_FIXED'
    case 'MoveAsset':
      return moveAsset(books, command.data)
    case 'ReplaceSigningKey':
      return 'HANDOVER_INVALID'
    case 'OpenInvestment':
      return openInvestment(books, command.data)
    case 'AccrueThrough':
      return accrueThrough(books, command.data)
    case 'DenyInvestment':
      return denyInvestment(books, command.data, actor)
    case 'CancelInvestment':
      return cancelInvestment(books, command.data, actor)
    case 'PayReferralBonus':
      return payReferralBonus(books, command.data.investmentId)
    case 'FundWallet':
    case 'FundReserve':
    case 'WithdrawReserve':
    case 'SweepToReserve':
      return moveOperatorsMoney(books, command)
  }
}

function closeMonth(
  books: ReferenceBooks,
  { month, size, state }: DataOf<'CloseMonth'>,
  nowMs: number,
): Verdict {
  const [year = 0, number = 0] = month.split('-').map(Number)
  const count = year * 12 + number
  // `Date.UTC` counts months from zero, so this date is the first day of the next month.
  if (Date.UTC(year, number) > nowMs) return 'MONTH_CONFLICT'
  if (books.closedMonths !== null && count !== books.closedMonths + 1) return 'MONTH_CONFLICT'
  if (state.size < size) return 'MONTH_CONFLICT'
  books.closedMonths = count
  return 'recorded'
}

function definePlan(books: ReferenceBooks, { planId, terms }: DataOf<'DefinePlan'>): Verdict {
  if (terms.maximumMinor !== null && terms.maximumMinor < terms.minimumMinor) return 'PLAN_INVALID'
  books.plans.set(planId, { version: (books.plans.get(planId)?.version ?? 0) + 1, terms })
  return 'recorded'
}

function activateInvestor(
  books: ReferenceBooks,
  { investorId, referrerId }: DataOf<'ActivateInvestor'>,
): Verdict {
  const found = books.investors.get(investorId)
  if (found === undefined) {
    const isKnown = referrerId !== null && books.investors.has(referrerId)
    const first = { standing: 'active', referrerId: isKnown ? referrerId : null }
    books.investors.set(investorId, { ...first, pending: 0, running: 0, lostMinor: 0n })
    return 'recorded'
  }
  if (found.standing === 'active' || found.standing === 'closed') return 'STANDING_CONFLICT'
  found.standing = 'active'
  return 'recorded'
}

function suspend(
  books: ReferenceBooks,
  { investorId, standing }: DataOf<'SuspendInvestor'>,
): Verdict {
  const found = books.investors.get(investorId)
  if (found === undefined) {
    const empty = { pending: 0, running: 0, lostMinor: 0n }
    books.investors.set(investorId, { standing, referrerId: null, ...empty })
    return 'recorded'
  }
  if (found.standing === standing || found.standing === 'closed') return 'STANDING_CONFLICT'
  found.standing = standing
  return 'recorded'
}

function close(books: ReferenceBooks, investorId: string): Verdict {
  const found = books.investors.get(investorId)
  if (found === undefined) return 'INVESTOR_UNKNOWN'
  if (found.standing === 'closed') return 'STANDING_CONFLICT'
  const own = [...books.balances].filter(([code]) => code.startsWith(`investor:${investorId}:`))
  const isEmpty = own.every(([, amountMinor]) => amountMinor === 0n)
  if (!isEmpty || found.pending > 0 || found.running > 0) return 'INVESTOR_NOT_EMPTY'
  found.standing = 'closed'
  return 'recorded'
}

type Operators = Extract<
  Command,
  { type: 'FundWallet' | 'FundReserve' | 'WithdrawReserve' | 'SweepToReserve' }
>

function moveOperatorsMoney(books: ReferenceBooks, command: Operators): Verdict {
  const { transactionId, amountMinor } = command.data
  if (books.requests.has(transactionId)) return 'ID_ALREADY_USED'
  const route = findRoute(books, command)
  if (typeof route === 'string') return route
  postAmount(books, route.from, route.to, amountMinor)
  addTransaction(books, transactionId, { amountMinor })
  return 'recorded'
}

function moveAsset(
  books: ReferenceBooks,
  { asset, from, to, amountMinor }: DataOf<'MoveAsset'>,
): Verdict {
  if (asset === 'USD/2' || from === to) return 'ASSET_INVALID'
  const source = `${from}@${asset}`
  if (from === 'reserve' && getBalance(books, source) < amountMinor) return 'INSUFFICIENT_FUNDS'
  postAmount(books, source, `${to}@${asset}`, amountMinor)
  return 'recorded'
}

function findRoute(
  books: ReferenceBooks,
  command: Operators,
): { from: string; to: string } | Verdict {
  const { amountMinor } = command.data
  const isBelow = (account: string) => getBalance(books, account) < amountMinor
  switch (command.type) {
    case 'FundReserve':
      return { from: 'cash:treasury', to: 'reserve' }
    case 'WithdrawReserve':
      return isBelow('reserve') ? 'INSUFFICIENT_FUNDS' : { from: 'reserve', to: 'cash:treasury' }
    case 'SweepToReserve': {
      const { from } = command.data
      return isBelow(from) ? 'INSUFFICIENT_FUNDS' : { from, to: 'reserve' }
    }
    case 'FundWallet': {
      const { investorId } = command.data
      const investor = books.investors.get(investorId)
      if (investor === undefined || investor.standing === 'closed') return 'INVESTOR_UNKNOWN'
      const isStrict = books.rules.coverageMode === 'strict'
      const to = formatAccount(investorId, command.data.wallet)
      if (command.data.wallet === 'balance') return { from: 'adjustments', to }
      if (command.data.wallet === 'referral') return { from: 'marketing', to }
      return isStrict && isBelow('reserve') ? 'INSUFFICIENT_FUNDS' : { from: 'reserve', to }
    }
  }
}
