import { account, type OperatorAccount, type Wallet } from '@cairn/ledger-contracts'
import { refuse } from '../../log/model.ts'
import { createMovePostings, getBalance, listBalanceNeeds } from '../accounts/account.ts'
import { type Decider, type Evolve, isRefusal, record } from '../decider.ts'
import { createInvestorNeed, investorTable, updateInvestor } from '../investors/investor.ts'
import { refuseShortfall } from '../reserve/coverage.ts'
import {
  createNewTransactionNeed,
  openTransaction,
  refuseUsedId,
} from '../transactions/transaction.ts'

/**
 * For each wallet, the account that is debited when the wallet is funded. Each wallet has its own
 * account, so funded profit remains separate from deposits.
 */
const FUNDED_FROM: Record<Wallet, OperatorAccount> = {
  balance: 'adjustments',
  profit: 'reserve',
  referral: 'marketing',
}

export const fundWallet: Decider<'FundWallet'> = {
  needs: ({ transactionId, investorId, wallet }) => [
    createNewTransactionNeed(transactionId),
    createInvestorNeed(investorId),
    ...listBalanceNeeds(
      account.getAvailableCode(investorId, wallet),
      account.getOperatorCode(FUNDED_FROM[wallet]),
      account.getOperatorCode('reserve'),
    ),
  ],
  decide: (data, view, context) => {
    const { transactionId, investorId, wallet, amountMinor } = data
    const usedId = refuseUsedId(view, transactionId)
    if (usedId !== null) return usedId
    const investor = view.find(investorTable, investorId)
    if (investor === null || investor.standing === 'closed') {
      return refuse('accountUnknown')
    }
    if (wallet === 'profit' && isRefusal(refuseShortfall(view, amountMinor))) {
      const availableMinor = String(getBalance(view, account.getOperatorCode('reserve')))
      return refuse('aboveReserve', { availableMinor })
    }
    return record(
      { type: 'WalletFunded', data },
      context,
      createMovePostings(
        account.getOperatorCode(FUNDED_FROM[wallet]),
        account.getAvailableCode(investorId, wallet),
        amountMinor,
      ),
    )
  },
}

export const applyWalletFunded: Evolve<'WalletFunded'> = (data, view, event) => {
  const { transactionId, investorId, wallet, amountMinor, reason } = data
  openTransaction(view, event, {
    transactionId,
    type: 'transfer',
    purpose: 'funding',
    status: 'success',
    investorId,
    amountMinor,
    isCredit: true,
    method: wallet,
    reason,
  })
  // Money in the wallet `balance` is not earned, so the totals of the investor do not change.
  if (wallet === 'balance') return
  updateInvestor(view, investorId, ({ profitMinor, referralMinor }) => ({
    profitMinor: profitMinor + (wallet === 'profit' ? amountMinor : 0n),
    referralMinor: referralMinor + (wallet === 'referral' ? amountMinor : 0n),
  }))
}
