import { account, type Wallet } from '@cairn/ledger-contracts'
import { refuse } from '../../log/model.ts'
import { createMovePostings, getBalance, listBalanceNeeds } from '../accounts/account.ts'
import { type Decider, type Evolve, record } from '../decider.ts'
import { createInvestorNeed, investorTable } from '../investors/investor.ts'
import {
  createNewTransactionNeed,
  openTransaction,
  refuseUsedId,
} from '../transactions/transaction.ts'

const ADJUSTMENTS = account.getOperatorCode('adjustments')

/**
 * Corrects a wallet, for a stated reason. A debit is refused if the wallet has too little money.
 */
export const adjustWallet: Decider<'AdjustWallet'> = {
  needs: ({ transactionId, investorId, wallet }) => [
    createNewTransactionNeed(transactionId),
    createInvestorNeed(investorId),
    ...listBalanceNeeds(account.getAvailableCode(investorId, wallet), getCounterAccount(wallet)),
  ],
  decide: (data, view, context) => {
    const { transactionId, investorId, wallet, amountMinor, isCredit } = data
    const usedId = refuseUsedId(view, transactionId)
    if (usedId !== null) return usedId
    const investor = view.find(investorTable, investorId)
    if (investor === null || investor.standing === 'closed') return refuse('accountUnknown')
    const code = account.getAvailableCode(investorId, wallet)
    const counter = getCounterAccount(wallet)
    const availableMinor = getBalance(view, code)
    if (!isCredit && availableMinor < amountMinor) {
      return refuse('aboveWallet', { availableMinor: String(availableMinor) })
    }
    const postings = isCredit
      ? createMovePostings(counter, code, amountMinor)
      : createMovePostings(code, counter, amountMinor)
    return record({ type: 'WalletAdjusted', data }, context, postings)
  },
}

export const applyWalletAdjusted: Evolve<'WalletAdjusted'> = (data, view, event) => {
  const { wallet: method, ...rest } = data
  openTransaction(view, event, {
    ...rest,
    type: 'transfer',
    purpose: 'adjustment',
    status: 'success',
    method,
  })
}

/** Corrections of profit are paid from the reserve, like all profit. */
function getCounterAccount(wallet: Wallet): string {
  return wallet === 'profit' ? account.getOperatorCode('reserve') : ADJUSTMENTS
}
