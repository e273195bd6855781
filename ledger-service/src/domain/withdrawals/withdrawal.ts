import {
  account,
  computeShare,
  type EventDataOf,
  type Id,
  type Posting,
  TREASURY,
  Wallet,
} from '@cairn/ledger-contracts'
import { refuse } from '../../log/model.ts'
import type { Need, View } from '../../log/view.ts'
import {
  createMovePostings,
  getBalance,
  listBalanceNeeds,
  reversePosting,
} from '../accounts/account.ts'
import { type Decider, type Evolve, isRefusal, record } from '../decider.ts'
import { createInvestorNeed, updateInvestor } from '../investors/investor.ts'
import { findRulesInForce } from '../rules/money-rules.ts'
import { listRequestNeeds, refuseTooManyPending, requireOwner } from '../transactions/request.ts'
import { findReversibleRequest, refuseSweptFee } from '../transactions/reversal.ts'
import {
  applyDecision,
  createNewTransactionNeed,
  findPendingTransaction,
  openTransaction,
  refuseUsedId,
  type Transaction,
  transactionTable,
} from '../transactions/transaction.ts'
import { adjustWithdrawalCount, countWithdrawal, refuseBeyondLimits } from './limits.ts'
import { findWithdrawalInvestor, INACTIVE_REASON, isInactive } from './payout.ts'
import {
  addPendingWithdrawal,
  removePendingWithdrawal,
  removeReleasedWithdrawal,
} from './pending.ts'

const type = 'withdrawal'

/**
 * The request moves the amount to the held account, so that no second request can use the amount.
 * An administrator can request a withdrawal only for an account that is not active, because its
 * investor cannot do so. The minimum and the limits do not apply to such a request, because the
 * whole balance must be payable.
 */
export const requestWithdrawal: Decider<'RequestWithdrawal'> = {
  needs: ({ transactionId, investorId, source }) => [
    createNewTransactionNeed(transactionId),
    createInvestorNeed(investorId),
    ...listBalanceNeeds(...listWalletAccounts(investorId, source)),
  ],
  decide: (data, view, context) => {
    const { transactionId, investorId, source, amountMinor } = data
    const usedId = refuseUsedId(view, transactionId)
    if (usedId !== null) return usedId
    const investor = findWithdrawalInvestor(view, { investorId, actor: context.actor })
    if (isRefusal(investor)) return investor
    const isActive = investor.standing === 'active'
    const tooMany = refuseTooManyPending(investor)
    if (tooMany !== null) return tooMany
    const rules = findRulesInForce(view)
    if (isActive && amountMinor < rules.minimumWithdrawalMinor) {
      return refuse('belowMinimumWithdrawal', {
        minimumMinor: String(rules.minimumWithdrawalMinor),
      })
    }
    const [available, held] = listWalletAccounts(investorId, source)
    const availableMinor = getBalance(view, available)
    if (amountMinor > availableMinor) {
      return refuse('aboveAvailable', {
        availableMinor: String(availableMinor),
      })
    }
    const overLimit = isActive
      ? refuseBeyondLimits(investor, { rules, amountMinor, context })
      : null
    if (overLimit !== null) return overLimit
    const feeMinor = computeShare(amountMinor, rules.withdrawalFeePpm)
    return record(
      { type: 'WithdrawalRequested', data: { ...data, feeMinor } },
      context,
      createMovePostings(available, held, amountMinor),
    )
  },
}

export const approveWithdrawal: Decider<'ApproveWithdrawal'> = {
  needs: ({ transactionId, paymentOptionId }, view) => [
    ...listHeldNeeds(transactionId, view),
    ...listBalanceNeeds(
      account.getCashCode(paymentOptionId ?? TREASURY),
      account.getOperatorCode('fees'),
    ),
  ],
  decide: (command, view, context) => {
    const { transactionId, paymentOptionId, payoutReference, bankAccountSha256 } = command
    const found = findPendingTransaction(view, { transactionId, type })
    if (isRefusal(found)) return found
    if (found.bankAccountSha256 !== bankAccountSha256) return refuse('bankAccountChanged')
    const request = toRequest(found)
    const cash = paymentOptionId ?? TREASURY
    const [, held] = listWalletAccounts(request.investorId, request.source)
    return record(
      { type: 'WithdrawalApproved', data: { ...request, cash, payoutReference } },
      context,
      listPayoutPostings(held, { ...request, cash }),
    )
  },
}

/**
 * Reverses a payout or a decline. The reversal of a payout returns the money to the wallet. The
 * reversal of a decline is refused if the wallet no longer has the money.
 */
export const reverseWithdrawal: Decider<'ReverseWithdrawal'> = {
  needs: ({ transactionId, paymentOptionId }, view) => {
    const found = view.peek(transactionTable, transactionId)
    const cash = paymentOptionId ?? found?.paymentOptionId ?? TREASURY
    return [
      ...listHeldNeeds(transactionId, view),
      ...listBalanceNeeds(account.getCashCode(cash), account.getOperatorCode('fees')),
    ]
  },
  decide: ({ transactionId, to, paymentOptionId, reason }, view, context) => {
    const found = findReversibleRequest(view, { transactionId, type, to })
    if (isRefusal(found)) return found
    const request = toRequest(found)
    const cash = paymentOptionId ?? found.paymentOptionId ?? TREASURY
    const [available] = listWalletAccounts(request.investorId, request.source)
    const availableMinor = getBalance(view, available)
    if (to === 'success' && availableMinor < request.amountMinor) {
      return refuse('aboveAvailable', {
        availableMinor: String(availableMinor),
      })
    }
    const swept = to === 'declined' ? refuseSweptFee(view, request.feeMinor) : null
    if (swept !== null) return swept
    const payout = listPayoutPostings(available, { ...request, cash })
    const postings = to === 'success' ? payout : payout.map(reversePosting)
    return record(
      { type: 'WithdrawalReversed', data: { ...request, to, cash, reason } },
      context,
      postings,
    )
  },
}

/**
 * Requires two approvers for the withdrawal. The command is refused if the withdrawal is already on
 * hold.
 */
export const holdWithdrawal: Decider<'HoldWithdrawal'> = {
  needs: ({ transactionId }, view) => listRequestNeeds(transactionId, view),
  decide: ({ transactionId, reason }, view, context) => {
    const found = findPendingTransaction(view, { transactionId, type })
    if (isRefusal(found)) return found
    if (found.holdReason !== null) return refuse('alreadyOnHold')
    const data = { transactionId, investorId: requireOwner(found), reason }
    return record({ type: 'WithdrawalHeld', data }, context)
  },
}

export const declineWithdrawal: Decider<'DeclineWithdrawal'> = {
  needs: ({ transactionId }, view) => listHeldNeeds(transactionId, view),
  decide: ({ transactionId, reason }, view, context) => {
    const found = findPendingTransaction(view, { transactionId, type })
    if (isRefusal(found)) return found
    const request = toRequest(found)
    const data = { ...request, reason }
    return record({ type: 'WithdrawalDeclined', data }, context, listReleasePostings(request))
  },
}

export const cancelWithdrawal: Decider<'CancelWithdrawal'> = {
  needs: ({ transactionId }, view) => listHeldNeeds(transactionId, view),
  decide: ({ transactionId, investorId }, view, context) => {
    const found = findPendingTransaction(view, { transactionId, type })
    if (isRefusal(found)) return found
    if (found.investorId !== investorId) return refuse('requestNotYours', { type })
    const request = toRequest(found)
    return record(
      { type: 'WithdrawalCancelled', data: request },
      context,
      listReleasePostings(request),
    )
  },
}

export const applyWithdrawalRequested: Evolve<'WithdrawalRequested'> = (data, view, event) => {
  openTransaction(view, event, {
    transactionId: data.transactionId,
    type,
    purpose: 'withdrawal',
    status: 'pending',
    investorId: data.investorId,
    amountMinor: data.amountMinor,
    feeMinor: data.feeMinor,
    isCredit: false,
    method: data.source,
    bankAccountId: data.bankAccountId,
    bankAccountSha256: data.bankAccountSha256,
    // A withdrawal on hold needs two administrators at any amount.
    holdReason: isInactive(view, data.investorId) ? INACTIVE_REASON : null,
  })
  addPendingWithdrawal(view, data)
  countWithdrawal(view, { ...data, atMs: event.effectiveAtMs })
}

export const applyWithdrawalApproved: Evolve<'WithdrawalApproved'> = (data, view, event) => {
  const { transactionId, investorId, amountMinor, cash, payoutReference } = data
  applyDecision(view, event, {
    transactionId,
    status: 'success',
    paymentOptionId: cash,
    payoutReference,
  })
  updateInvestor(view, investorId, (investor) => ({
    withdrawnMinor: investor.withdrawnMinor + amountMinor,
  }))
  removePendingWithdrawal(view, data)
}

export const applyWithdrawalHeld: Evolve<'WithdrawalHeld'> = (data, view, { seq: lastSeq }) => {
  const row = view.find(transactionTable, data.transactionId)
  if (row === null) throw new Error(`transaction ${data.transactionId} is not in the ledger`)
  view.put(transactionTable, { ...row, holdReason: data.reason, lastSeq })
}

export const applyWithdrawalDeclined: Evolve<'WithdrawalDeclined'> = (data, view, event) => {
  const { transactionId, reason } = data
  removeReleasedWithdrawal(view, data)
  applyDecision(view, event, { transactionId, status: 'declined', reason })
}

export const applyWithdrawalCancelled: Evolve<'WithdrawalCancelled'> = (data, view, event) => {
  removeReleasedWithdrawal(view, data)
  applyDecision(view, event, { transactionId: data.transactionId, status: 'cancelled' })
}

export const applyWithdrawalReversed: Evolve<'WithdrawalReversed'> = (data, view, event) => {
  const { transactionId, investorId, amountMinor, to: status, cash: paymentOptionId, reason } = data
  applyDecision(view, event, { transactionId, status, paymentOptionId, reason })
  const outMinor = status === 'success' ? amountMinor : -amountMinor
  adjustWithdrawalCount(view, { transactionId, investorId, amountMinor: outMinor })
  updateInvestor(view, investorId, ({ withdrawnMinor }) => ({
    withdrawnMinor: withdrawnMinor + outMinor,
  }))
}

function listPayoutPostings(
  from: string,
  { amountMinor, feeMinor, cash }: Request & { cash: string },
): readonly Posting[] {
  return [
    ...createMovePostings(from, account.getCashCode(cash), amountMinor - feeMinor),
    ...createMovePostings(from, account.getOperatorCode('fees'), feeMinor),
  ]
}

type Request = EventDataOf<'WithdrawalCancelled'>

function toRequest(found: Transaction): Request {
  const { transactionId, amountMinor, feeMinor } = found
  const source = Wallet.parse(found.method)
  return { transactionId, investorId: requireOwner(found), amountMinor, feeMinor, source }
}

function listReleasePostings({ investorId, source, amountMinor }: Request): readonly Posting[] {
  const [available, held] = listWalletAccounts(investorId, source)
  return createMovePostings(held, available, amountMinor)
}

function listHeldNeeds(transactionId: Id, view: View): readonly Need[] {
  const found = view.peek(transactionTable, transactionId)
  const needs = listRequestNeeds(transactionId, view)
  if (found === undefined || found === null || found.type !== type) return needs
  return [
    ...needs,
    ...listBalanceNeeds(...listWalletAccounts(requireOwner(found), Wallet.parse(found.method))),
  ]
}

function listWalletAccounts(
  investorId: Id,
  source: Wallet,
): readonly [available: string, held: string] {
  return [account.getAvailableCode(investorId, source), account.getHeldCode(investorId, source)]
}
