import { account, TREASURY } from '@cairn/ledger-contracts'
import { balanceNeeds, move } from '../accounts/account.ts'
import { type Decider, type Evolve, record } from '../decider.ts'
import { openTransaction, refuseUsedId, transactionNeed } from '../transactions/transaction.ts'

const CASH = account.cash(TREASURY)
const RESERVE = account.operator('reserve')

/** The operator pays its own money in: what promised profit is committed from. */
export const fundReserve: Decider<'FundReserve'> = {
  needs: ({ transactionId }) => [transactionNeed(transactionId), ...balanceNeeds(CASH, RESERVE)],
  decide: (data, view, context) => {
    const used = refuseUsedId(view, data.transactionId)
    if (used !== null) return used
    return record({ type: 'ReserveFunded', data }, context, move(CASH, RESERVE, data.amountMinor))
  },
}

export const reserveFunded: Evolve<'ReserveFunded'> = (data, view, event) => {
  openTransaction(view, event, {
    transactionId: data.transactionId,
    type: 'transfer',
    purpose: 'reserve',
    status: 'success',
    investorId: null,
    amountMinor: data.amountMinor,
    isCredit: true,
    method: 'reserve',
    reason: data.note,
  })
}
