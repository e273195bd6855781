import { account, TREASURY } from '@cairn/ledger-contracts'
import { balanceNeeds, balanceOf, move } from '../accounts/account.ts'
import { type Decider, type Evolve, record } from '../decider.ts'
import { refuse } from '../log/model.ts'
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

export const withdrawReserve: Decider<'WithdrawReserve'> = {
  needs: ({ transactionId }) => [transactionNeed(transactionId), ...balanceNeeds(CASH, RESERVE)],
  decide: (data, view, context) => {
    const used = refuseUsedId(view, data.transactionId)
    if (used !== null) return used
    const availableMinor = balanceOf(view, RESERVE)
    if (availableMinor < data.amountMinor) {
      return refuse('INSUFFICIENT_FUNDS', 'The reserve does not hold that much', {
        availableMinor: String(availableMinor),
      })
    }
    const postings = move(RESERVE, CASH, data.amountMinor)
    return record({ type: 'ReserveWithdrawn', data }, context, postings)
  },
}

export const reserveWithdrawn: Evolve<'ReserveWithdrawn'> = (data, view, event) => {
  openTransaction(view, event, {
    transactionId: data.transactionId,
    type: 'transfer',
    purpose: 'reserve-withdrawal',
    status: 'success',
    investorId: null,
    amountMinor: data.amountMinor,
    isCredit: false,
    method: 'reserve',
    reason: data.note,
  })
}

/** Fees and principal that plans did not return are the operator's: they become reserve. */
export const sweepToReserve: Decider<'SweepToReserve'> = {
  needs: ({ transactionId, from }) => [
    transactionNeed(transactionId),
    ...balanceNeeds(account.operator(from), RESERVE),
  ],
  decide: (data, view, context) => {
    const used = refuseUsedId(view, data.transactionId)
    if (used !== null) return used
    const source = account.operator(data.from)
    const availableMinor = balanceOf(view, source)
    if (availableMinor < data.amountMinor) {
      return refuse('INSUFFICIENT_FUNDS', `There is not that much in ${data.from}`, {
        availableMinor: String(availableMinor),
      })
    }
    const postings = move(source, RESERVE, data.amountMinor)
    return record({ type: 'SweptToReserve', data }, context, postings)
  },
}

export const sweptToReserve: Evolve<'SweptToReserve'> = (data, view, event) => {
  openTransaction(view, event, {
    transactionId: data.transactionId,
    type: 'transfer',
    purpose: 'sweep',
    status: 'success',
    investorId: null,
    amountMinor: data.amountMinor,
    isCredit: true,
    method: data.from,
  })
}
