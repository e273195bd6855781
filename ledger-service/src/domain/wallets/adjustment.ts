import { account, type Id, type LedgerTransaction, Wallet } from '@cairn/ledger-contracts'
import { type Refusal, refuse } from '../../log/model.ts'
import type { Need, View } from '../../log/view.ts'
import { balanceNeeds, balanceOf, move } from '../accounts/account.ts'
import { type Decider, type Evolve, isRefusal, record } from '../decider.ts'
import { investorNeed, investorTable } from '../investors/investor.ts'
import { countPending, ownerOf, requestNeeds } from '../transactions/request.ts'
import {
  decideTransaction,
  findPendingTransaction,
  openTransaction,
  refuseUsedId,
  type Transaction,
  transactionNeed,
  transactionTable,
} from '../transactions/transaction.ts'

const type: LedgerTransaction['type'] = 'transfer'
const ADJUSTMENTS = account.operator('adjustments')

/** Corrects a wallet with a reason. A debit needs that the wallet holds the money. */
export const adjustWallet: Decider<'AdjustWallet'> = {
  needs: ({ transactionId, investorId, wallet }) => [
    transactionNeed(transactionId),
    investorNeed(investorId),
    ...balanceNeeds(account.available(investorId, wallet), getCounterAccount(wallet)),
  ],
  decide: (data, view, context) => {
    const { transactionId, investorId, wallet, amountMinor, isCredit } = data
    const usedId = refuseUsedId(view, transactionId)
    if (usedId !== null) return usedId
    const investor = view.find(investorTable, investorId)
    if (investor === null || investor.standing === 'closed') return refuse('accountUnknown')
    const code = account.available(investorId, wallet)
    const counter = getCounterAccount(wallet)
    const availableMinor = balanceOf(view, code)
    if (!isCredit && availableMinor < amountMinor) {
      return refuse('aboveWallet', { availableMinor: String(availableMinor) })
    }
    const postings = isCredit ? move(counter, code, amountMinor) : move(code, counter, amountMinor)
    return record({ type: 'WalletAdjusted', data }, context, postings)
  },
}

/** Records a correction with its reason. It moves no money until it is applied. */
export const proposeAdjustment: Decider<'ProposeAdjustment'> = {
  needs: ({ transactionId, investorId }) => [
    transactionNeed(transactionId),
    investorNeed(investorId),
  ],
  decide: (data, view, context) => {
    const usedId = refuseUsedId(view, data.transactionId)
    if (usedId !== null) return usedId
    const investor = view.find(investorTable, data.investorId)
    if (investor === null || investor.standing === 'closed') {
      return refuse('accountUnknown')
    }
    return record({ type: 'AdjustmentProposed', data }, context)
  },
}

export const applyAdjustment: Decider<'ApplyAdjustment'> = {
  needs: ({ transactionId }, view) => adjustmentNeeds(transactionId, view),
  decide: ({ transactionId }, view, context) => {
    const found = findPendingAdjustment(view, transactionId)
    if (isRefusal(found)) return found
    const { amountMinor, isCredit } = found
    const investorId = ownerOf(found)
    const wallet = Wallet.parse(found.method)
    const code = account.available(investorId, wallet)
    const availableMinor = balanceOf(view, code)
    if (!isCredit && availableMinor < amountMinor) {
      return refuse('aboveWallet', {
        availableMinor: String(availableMinor),
      })
    }
    const counter = getCounterAccount(wallet)
    const data = { transactionId, investorId, wallet, amountMinor, isCredit }
    const postings = isCredit ? move(counter, code, amountMinor) : move(code, counter, amountMinor)
    return record({ type: 'AdjustmentApplied', data }, context, postings)
  },
}

export const rejectAdjustment: Decider<'RejectAdjustment'> = {
  needs: ({ transactionId }, view) => requestNeeds(transactionId, view),
  decide: ({ transactionId, reason }, view, context) => {
    const found = findPendingAdjustment(view, transactionId)
    if (isRefusal(found)) return found
    const data = { transactionId, investorId: ownerOf(found), reason }
    return record({ type: 'AdjustmentRejected', data }, context)
  },
}

export const walletAdjusted: Evolve<'WalletAdjusted'> = (data, view, event) => {
  const { wallet: method, ...rest } = data
  openTransaction(view, event, { ...rest, type, purpose: 'adjustment', status: 'success', method })
}

export const adjustmentProposed: Evolve<'AdjustmentProposed'> = (data, view, event) => {
  const { wallet: method, ...rest } = data
  openTransaction(view, event, { ...rest, type, purpose: 'adjustment', status: 'pending', method })
  countPending(view, data.investorId, 1)
}

export const adjustmentApplied: Evolve<'AdjustmentApplied'> = (data, view, event) => {
  const { transactionId, investorId } = data
  decideTransaction(view, event, { transactionId, status: 'success' })
  countPending(view, investorId, -1)
}

export const adjustmentRejected: Evolve<'AdjustmentRejected'> = (data, view, event) => {
  const { transactionId, investorId, reason } = data
  decideTransaction(view, event, { transactionId, status: 'declined', reason })
  countPending(view, investorId, -1)
}

function findPendingAdjustment(view: View, transactionId: Id): Transaction | { refusal: Refusal } {
  const found = findPendingTransaction(view, { transactionId, type })
  if (isRefusal(found) || found.purpose === 'adjustment') return found
  return refuse('adjustmentUnknown')
}

/** Profit is always paid from the reserve, also by a correction. */
function getCounterAccount(wallet: Wallet): string {
  return wallet === 'profit' ? account.operator('reserve') : ADJUSTMENTS
}

function adjustmentNeeds(transactionId: Id, view: View): readonly Need[] {
  const found = view.peek(transactionTable, transactionId)
  const needs = requestNeeds(transactionId, view)
  if (found === undefined || found === null || found.purpose !== 'adjustment') return needs
  const wallet = Wallet.parse(found.method)
  const code = account.available(ownerOf(found), wallet)
  return [...needs, ...balanceNeeds(code, getCounterAccount(wallet))]
}
