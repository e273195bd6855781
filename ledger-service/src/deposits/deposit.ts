import {
  account,
  type Id,
  type LedgerTransaction,
  shareOf,
  TREASURY,
} from '@cairn/ledger-contracts'
import { balanceNeeds, move } from '../accounts/account.ts'
import { type Decider, type Evolve, isRefusal, record } from '../decider.ts'
import { activeInvestor, investorNeed, updateInvestor } from '../investors/investor.ts'
import { refuse } from '../log/model.ts'
import type { Need } from '../log/view.ts'
import { rulesInForce } from '../rules/money-rules.ts'
import { CANCELLED_BY_USER, countPending, ownerOf, requestNeeds } from '../transactions/request.ts'
import {
  decideTransaction,
  openTransaction,
  pendingTransaction,
  refuseUsedId,
  transactionNeed,
  transactionTable,
} from '../transactions/transaction.ts'

const type: LedgerTransaction['type'] = 'deposit'

export const requestDeposit: Decider<'RequestDeposit'> = {
  needs: ({ transactionId, investorId }) => [
    transactionNeed(transactionId),
    investorNeed(investorId),
  ],
  decide: (data, view, context) => {
    const used = refuseUsedId(view, data.transactionId)
    if (used !== null) return used
    const investor = activeInvestor(view, data.investorId)
    if (isRefusal(investor)) return investor
    const rules = rulesInForce(view)
    if (data.amountMinor < rules.minimumDepositMinor) {
      return refuse('AMOUNT_BELOW_MINIMUM', 'The amount is below the minimum deposit', {
        minimumMinor: String(rules.minimumDepositMinor),
      })
    }
    // Quoted now and frozen: what the rules say at approval changes nothing.
    const feeMinor = shareOf(data.amountMinor, rules.depositFeePpm)
    return record({ type: 'DepositRequested', data: { ...data, feeMinor } }, context)
  },
}

export const approveDeposit: Decider<'ApproveDeposit'> = {
  needs: ({ transactionId, paymentOptionId }, view) => {
    const found = view.peek(transactionTable, transactionId)
    if (found === undefined || found === null) return [transactionNeed(transactionId)]
    const cash = paymentOptionId ?? found.paymentOptionId ?? TREASURY
    return [
      ...ownerNeeds(found.investorId),
      ...balanceNeeds(account.cash(cash), account.operator('fees')),
    ]
  },
  decide: ({ transactionId, paymentOptionId }, view, context) => {
    const found = pendingTransaction(view, { transactionId, type })
    if (isRefusal(found)) return found
    const { amountMinor, feeMinor } = found
    const investorId = ownerOf(found)
    const cash = paymentOptionId ?? found.paymentOptionId ?? TREASURY
    const data = { transactionId, investorId, amountMinor, feeMinor, cash }
    return record(
      { type: 'DepositApproved', data },
      context,
      move(account.cash(cash), account.available(investorId, 'balance'), amountMinor - feeMinor),
      move(account.cash(cash), account.operator('fees'), feeMinor),
    )
  },
}

export const declineDeposit: Decider<'DeclineDeposit'> = {
  needs: ({ transactionId }, view) => requestNeeds(transactionId, view),
  decide: ({ transactionId, reason }, view, context) => {
    const found = pendingTransaction(view, { transactionId, type })
    if (isRefusal(found)) return found
    const { amountMinor, feeMinor } = found
    const data = { transactionId, investorId: ownerOf(found), amountMinor, feeMinor, reason }
    return record({ type: 'DepositDeclined', data }, context)
  },
}

export const cancelDeposit: Decider<'CancelDeposit'> = {
  needs: ({ transactionId }, view) => requestNeeds(transactionId, view),
  decide: ({ transactionId, investorId }, view, context) => {
    const found = pendingTransaction(view, { transactionId, type })
    if (isRefusal(found)) return found
    if (found.investorId !== investorId) return refuse('NOT_YOURS', 'There is no such deposit')
    const { amountMinor, feeMinor } = found
    const data = { transactionId, investorId, amountMinor, feeMinor }
    return record({ type: 'DepositCancelled', data }, context)
  },
}

export const depositRequested: Evolve<'DepositRequested'> = (data, view, event) => {
  openTransaction(view, event, {
    ...data,
    type,
    purpose: 'deposit',
    status: 'pending',
    isCredit: true,
  })
  countPending(view, data.investorId, event.seq, 1)
}

export const depositApproved: Evolve<'DepositApproved'> = (data, view, event) => {
  const { transactionId, investorId, amountMinor, cash } = data
  decideTransaction(view, event, { transactionId, status: 'success', paymentOptionId: cash })
  updateInvestor(view, { investorId, seq: event.seq }, (investor) => ({
    depositedMinor: investor.depositedMinor + amountMinor,
    pendingCount: investor.pendingCount - 1,
  }))
}

export const depositDeclined: Evolve<'DepositDeclined'> = (data, view, event) => {
  const { transactionId, investorId, reason } = data
  decideTransaction(view, event, { transactionId, status: 'declined', reason })
  countPending(view, investorId, event.seq, -1)
}

export const depositCancelled: Evolve<'DepositCancelled'> = (data, view, event) => {
  const { transactionId, investorId } = data
  const reason = CANCELLED_BY_USER
  decideTransaction(view, event, { transactionId, status: 'declined', reason })
  countPending(view, investorId, event.seq, -1)
}

function ownerNeeds(investorId: Id | null): readonly Need[] {
  if (investorId === null) return []
  return [investorNeed(investorId), ...balanceNeeds(account.available(investorId, 'balance'))]
}
