import { account, type LedgerTransaction, type Wallet } from '@cairn/ledger-contracts'
import { refuse } from '../../log/model.ts'
import { balanceNeeds, balanceOf, move } from '../accounts/account.ts'
import { type Decider, type Evolve, record } from '../decider.ts'
import { investorNeed, investorTable } from '../investors/investor.ts'
import { openTransaction, refuseUsedId, transactionNeed } from '../transactions/transaction.ts'

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

export const walletAdjusted: Evolve<'WalletAdjusted'> = (data, view, event) => {
  const { wallet: method, ...rest } = data
  openTransaction(view, event, { ...rest, type, purpose: 'adjustment', status: 'success', method })
}

/** Profit is always paid from the reserve, also by a correction. */
function getCounterAccount(wallet: Wallet): string {
  return wallet === 'profit' ? account.operator('reserve') : ADJUSTMENTS
}
