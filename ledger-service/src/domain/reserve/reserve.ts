import { account, TREASURY } from '@cairn/ledger-contracts'
import { type PlacedEvent, refuse } from '../../log/model.ts'
import type { View } from '../../log/view.ts'
import { createMovePostings, getBalance, listBalanceNeeds } from '../accounts/account.ts'
import { type Decider, type Evolve, record } from '../decider.ts'
import {
  createNewTransactionNeed,
  type Opening,
  openTransaction,
  refuseUsedId,
} from '../transactions/transaction.ts'

const CASH = account.getCashCode(TREASURY)
const RESERVE = account.getOperatorCode('reserve')

/** Adds the operator's own money to the reserve, from which profit is paid. */
export const fundReserve: Decider<'FundReserve'> = {
  needs: ({ transactionId }) => [
    createNewTransactionNeed(transactionId),
    ...listBalanceNeeds(CASH, RESERVE),
  ],
  decide: (data, view, context) => {
    const usedId = refuseUsedId(view, data.transactionId)
    if (usedId !== null) return usedId
    return record(
      { type: 'ReserveFunded', data },
      context,
      createMovePostings(CASH, RESERVE, data.amountMinor),
    )
  },
}

export const applyReserveFunded: Evolve<'ReserveFunded'> = (data, view, event) => {
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

/** Takes the operator's own money out of the reserve. */
export const withdrawReserve: Decider<'WithdrawReserve'> = {
  needs: ({ transactionId }) => [
    createNewTransactionNeed(transactionId),
    ...listBalanceNeeds(CASH, RESERVE),
  ],
  decide: (data, view, context) => {
    const usedId = refuseUsedId(view, data.transactionId)
    if (usedId !== null) return usedId
    const availableMinor = getBalance(view, RESERVE)
    if (availableMinor < data.amountMinor) {
      return refuse('aboveReserve', {
        availableMinor: String(availableMinor),
      })
    }
    const postings = createMovePostings(RESERVE, CASH, data.amountMinor)
    return record({ type: 'ReserveWithdrawn', data }, context, postings)
  },
}

export const applyReserveWithdrawn: Evolve<'ReserveWithdrawn'> = (
  { note: reason, ...data },
  view,
  event,
) => openReserveTransaction(view, event, { ...data, ...withdrawal, reason })

/**
 * Moves fees, or principal that plans did not return, to the reserve. Both already belong to the
 * operator.
 */
export const sweepToReserve: Decider<'SweepToReserve'> = {
  needs: ({ transactionId, from }) => [
    createNewTransactionNeed(transactionId),
    ...listBalanceNeeds(account.getOperatorCode(from), RESERVE),
  ],
  decide: (data, view, context) => {
    const usedId = refuseUsedId(view, data.transactionId)
    if (usedId !== null) return usedId
    const source = account.getOperatorCode(data.from)
    const availableMinor = getBalance(view, source)
    if (availableMinor < data.amountMinor) {
      return refuse('aboveOperatorAccount', {
        account: data.from,
        availableMinor: String(availableMinor),
      })
    }
    const postings = createMovePostings(source, RESERVE, data.amountMinor)
    return record({ type: 'SweptToReserve', data }, context, postings)
  },
}

export const applySweptToReserve: Evolve<'SweptToReserve'> = (
  { from: method, ...data },
  view,
  event,
) => openReserveTransaction(view, event, { ...data, ...sweep, method })

const withdrawal = { purpose: 'reserve-withdrawal', method: 'reserve', isCredit: false } as const
const sweep = { purpose: 'sweep', isCredit: true } as const

function openReserveTransaction(
  view: View,
  event: PlacedEvent,
  movement: Omit<Opening, 'type' | 'status' | 'investorId'>,
): void {
  openTransaction(view, event, {
    ...movement,
    type: 'transfer',
    status: 'success',
    investorId: null,
  })
}
