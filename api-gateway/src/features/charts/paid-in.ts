import { getAsset, getInvestorId, type RecordedEvent } from '@cairn/ledger-contracts'
import { parseFactWith } from '../../platform/find-effects.ts'

/**
 * Lists what the event adds to the paid-in money: an approved deposit, less an approved withdrawal,
 * both before fees. A balance of another system counts as paid in, because the part of it that was
 * profit is not known.
 */
export function listPaidIn(
  event: RecordedEvent,
): readonly { investorId: string; amountMinor: bigint }[] {
  if (event.type === 'BalanceImported') {
    return event.postings.flatMap(({ account, amountMinor }) => {
      const investorId = getAsset(account) === null ? getInvestorId(account) : null
      return investorId === null ? [] : [{ investorId, amountMinor }]
    })
  }
  const fact = parseFactWith('chart', event)
  switch (fact?.type) {
    case 'DepositApproved':
      return [fact.data]
    case 'WithdrawalApproved':
      return [{ ...fact.data, amountMinor: -fact.data.amountMinor }]
    case 'DepositReversed':
    case 'WithdrawalReversed': {
      const { investorId, amountMinor, to } = fact.data
      const isDone = to === 'success'
      const isAdded = isDone === (fact.type === 'DepositReversed')
      return [{ investorId, amountMinor: isAdded ? amountMinor : -amountMinor }]
    }
    default:
      return []
  }
}
