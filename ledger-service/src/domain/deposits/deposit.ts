import { account, computeShare, type Id, type Posting, TREASURY } from '@cairn/ledger-contracts'
import { refuse } from '../../log/model.ts'
import type { Need, View } from '../../log/view.ts'
import {
  createMovePostings,
  getBalance,
  listBalanceNeeds,
  reversePosting,
} from '../accounts/account.ts'
import { type Decider, type Evolve, isRefusal, record } from '../decider.ts'
import { createInvestorNeed, findActiveInvestor, updateInvestor } from '../investors/investor.ts'
import { findRulesInForce } from '../rules/money-rules.ts'
import {
  changePendingCount,
  listRequestNeeds,
  refuseTooManyPending,
  requireOwner,
} from '../transactions/request.ts'
import { findReversibleRequest, refuseSweptFee } from '../transactions/reversal.ts'
import {
  applyDecision,
  createNewTransactionNeed,
  createTransactionNeed,
  findPendingTransaction,
  openTransaction,
  refuseUsedId,
  transactionTable,
} from '../transactions/transaction.ts'

const type = 'deposit'

export const requestDeposit: Decider<'RequestDeposit'> = {
  needs: ({ transactionId, investorId }) => [
    createNewTransactionNeed(transactionId),
    createInvestorNeed(investorId),
  ],
  decide: (data, view, context) => {
    const usedId = refuseUsedId(view, data.transactionId)
    if (usedId !== null) return usedId
    const investor = findActiveInvestor(view, data.investorId)
    if (isRefusal(investor)) return investor
    const tooMany = refuseTooManyPending(investor)
    if (tooMany !== null) return tooMany
    const rules = findRulesInForce(view)
    if (data.amountMinor < rules.minimumDepositMinor) {
      return refuse('belowMinimumDeposit', {
        minimumMinor: String(rules.minimumDepositMinor),
      })
    }
    // The fee rate is fixed at the request, so a change to the rules after the request does not
    // affect it.
    const feePpm = rules.depositFeePpm
    const feeMinor = computeShare(data.amountMinor, feePpm)
    return record({ type: 'DepositRequested', data: { ...data, feeMinor, feePpm } }, context)
  },
}

export const approveDeposit: Decider<'ApproveDeposit'> = {
  needs: ({ transactionId, paymentOptionId }, view) =>
    listCreditNeeds(view, { transactionId, paymentOptionId }),
  decide: (command, view, context) => {
    const { transactionId, paymentOptionId, approvedMinor: amountMinor } = command
    const found = findPendingTransaction(view, { transactionId, type })
    if (isRefusal(found)) return found
    const investorId = requireOwner(found)
    const { requestedMinor, feePpm } = found
    const feeMinor = computeShare(amountMinor, feePpm)
    const cash = paymentOptionId ?? found.paymentOptionId ?? TREASURY
    const data = { transactionId, investorId, amountMinor, requestedMinor, feeMinor, cash }
    const credit = { investorId, amountMinor, feeMinor, cash }
    return record({ type: 'DepositApproved', data }, context, listCreditPostings(credit))
  },
}

/**
 * Reverses a decision. The reversal of an approval is refused if the wallet no longer has the
 * money. The reversal of a decline credits the wallet.
 */
export const reverseDeposit: Decider<'ReverseDeposit'> = {
  needs: ({ transactionId, paymentOptionId }, view) =>
    listCreditNeeds(view, { transactionId, paymentOptionId }),
  decide: ({ transactionId, to, paymentOptionId, reason }, view, context) => {
    const found = findReversibleRequest(view, { transactionId, type, to })
    if (isRefusal(found)) return found
    const investorId = requireOwner(found)
    const { amountMinor, feeMinor } = found
    const cash = paymentOptionId ?? found.paymentOptionId ?? TREASURY
    const availableMinor = getBalance(view, account.getAvailableCode(investorId, 'balance'))
    if (to === 'declined' && availableMinor < amountMinor - feeMinor) {
      return refuse('depositSpent', {
        availableMinor: String(availableMinor),
      })
    }
    const swept = to === 'declined' ? refuseSweptFee(view, feeMinor) : null
    if (swept !== null) return swept
    const credit = listCreditPostings({ investorId, amountMinor, feeMinor, cash })
    const data = { transactionId, investorId, amountMinor, feeMinor, to, cash, reason }
    const postings = to === 'success' ? credit : credit.map(reversePosting)
    return record({ type: 'DepositReversed', data }, context, postings)
  },
}

export const declineDeposit: Decider<'DeclineDeposit'> = {
  needs: ({ transactionId }, view) => listRequestNeeds(transactionId, view),
  decide: ({ transactionId, reason }, view, context) => {
    const found = findPendingTransaction(view, { transactionId, type })
    if (isRefusal(found)) return found
    const { amountMinor, feeMinor } = found
    const data = { transactionId, investorId: requireOwner(found), amountMinor, feeMinor, reason }
    return record({ type: 'DepositDeclined', data }, context)
  },
}

export const cancelDeposit: Decider<'CancelDeposit'> = {
  needs: ({ transactionId }, view) => listRequestNeeds(transactionId, view),
  decide: ({ transactionId, investorId }, view, context) => {
    const found = findPendingTransaction(view, { transactionId, type })
    if (isRefusal(found)) return found
    if (found.investorId !== investorId) return refuse('requestNotYours', { type })
    const { amountMinor, feeMinor } = found
    const data = { transactionId, investorId, amountMinor, feeMinor }
    return record({ type: 'DepositCancelled', data }, context)
  },
}

export const applyDepositRequested: Evolve<'DepositRequested'> = (data, view, event) => {
  openTransaction(view, event, {
    ...data,
    type,
    purpose: 'deposit',
    status: 'pending',
    isCredit: true,
  })
  changePendingCount(view, data.investorId, 1)
}

export const applyDepositApproved: Evolve<'DepositApproved'> = (data, view, event) => {
  const { transactionId, investorId, amountMinor, feeMinor, cash: paymentOptionId } = data
  applyDecision(view, event, {
    transactionId,
    status: 'success',
    amountMinor,
    feeMinor,
    paymentOptionId,
  })
  updateInvestor(view, investorId, (investor) => ({
    depositedMinor: investor.depositedMinor + amountMinor,
    pendingCount: investor.pendingCount - 1,
  }))
}

export const applyDepositDeclined: Evolve<'DepositDeclined'> = (data, view, event) => {
  const { transactionId, investorId, reason } = data
  applyDecision(view, event, { transactionId, status: 'declined', reason })
  changePendingCount(view, investorId, -1)
}

export const applyDepositCancelled: Evolve<'DepositCancelled'> = (data, view, event) => {
  const { transactionId, investorId } = data
  applyDecision(view, event, { transactionId, status: 'cancelled' })
  changePendingCount(view, investorId, -1)
}

export const applyDepositReversed: Evolve<'DepositReversed'> = (data, view, event) => {
  const { transactionId, investorId, amountMinor, to: status, cash: paymentOptionId, reason } = data
  applyDecision(view, event, { transactionId, status, paymentOptionId, reason })
  updateInvestor(view, investorId, ({ depositedMinor }) => ({
    depositedMinor: depositedMinor + (status === 'success' ? amountMinor : -amountMinor),
  }))
}

function listCreditPostings(credit: {
  investorId: Id
  amountMinor: bigint
  feeMinor: bigint
  cash: string
}): readonly Posting[] {
  const { investorId, amountMinor, feeMinor, cash } = credit
  return [
    ...createMovePostings(
      account.getCashCode(cash),
      account.getAvailableCode(investorId, 'balance'),
      amountMinor - feeMinor,
    ),
    ...createMovePostings(account.getCashCode(cash), account.getOperatorCode('fees'), feeMinor),
  ]
}

function listCreditNeeds(
  view: View,
  { transactionId, paymentOptionId }: { transactionId: Id; paymentOptionId: string | null },
): readonly Need[] {
  const found = view.peek(transactionTable, transactionId)
  if (found === undefined || found === null) return [createTransactionNeed(transactionId)]
  if (found.investorId === null) return []
  const cash = paymentOptionId ?? found.paymentOptionId ?? TREASURY
  return [
    createInvestorNeed(found.investorId),
    ...listBalanceNeeds(
      account.getAvailableCode(found.investorId, 'balance'),
      account.getCashCode(cash),
      account.getOperatorCode('fees'),
    ),
  ]
}
