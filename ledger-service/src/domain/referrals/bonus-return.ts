import {
  account,
  type EventDataOf,
  followingId,
  type Id,
  type Posting,
} from '@cairn/ledger-contracts'
import type { PlacedEvent } from '../../log/model.ts'
import type { Need, View } from '../../log/view.ts'
import { createMovePostings, getBalance, listBalanceNeeds } from '../accounts/account.ts'
import type { Investment } from '../investments/investment.ts'
import { createInvestorNeed, investorTable, updateInvestor } from '../investors/investor.ts'
import {
  applyDecision,
  createTransactionNeed,
  openTransaction,
  type Transaction,
  transactionTable,
} from '../transactions/transaction.ts'
import { removeReleasedWithdrawal, splitIds } from '../withdrawals/pending.ts'

type BonusReturn = Pick<
  EventDataOf<'InvestmentCancelled'>,
  'bonusTo' | 'bonusReturnedMinor' | 'declinedWithdrawals' | 'bonusLostMinor'
>

const DECLINE_REASON = 'The referral bonus in it was taken back'

export function listBonusReturnNeeds(view: View, { bonusTo }: Investment): readonly Need[] {
  if (bonusTo === null) return []
  const referrer = view.peek(investorTable, bonusTo)
  return [
    createInvestorNeed(bonusTo),
    ...listBalanceNeeds(
      account.getAvailableCode(bonusTo, 'referral'),
      account.getHeldCode(bonusTo, 'referral'),
      account.getOperatorCode('marketing'),
    ),
    ...splitIds(referrer?.referralWithdrawals ?? '').map(createTransactionNeed),
  ]
}

/**
 * Returns how a paid bonus is taken back: first from the referrer's available earnings, then from
 * pending withdrawals of earnings, oldest first, which are declined. Any remaining amount is lost.
 */
export function computeBonusReturn(
  view: View,
  { bonusTo, bonusMinor, bonusDueAt }: Investment,
): { data: BonusReturn; postings: readonly Posting[] } {
  const nothing = { bonusTo, bonusReturnedMinor: 0n, declinedWithdrawals: [], bonusLostMinor: 0n }
  if (bonusTo === null || bonusDueAt !== null) return { data: nothing, postings: [] }
  const available = account.getAvailableCode(bonusTo, 'referral')
  const declined: Transaction[] = []
  let reachableMinor = getBalance(view, available)
  for (const id of splitIds(view.find(investorTable, bonusTo)?.referralWithdrawals ?? '')) {
    if (reachableMinor >= bonusMinor) break
    const pending = view.find(transactionTable, id)
    if (pending === null) throw new Error(`transaction ${id} is not in the ledger`)
    declined.push(pending)
    reachableMinor += pending.amountMinor
  }
  const bonusReturnedMinor = reachableMinor < bonusMinor ? reachableMinor : bonusMinor
  const data = {
    bonusTo,
    bonusReturnedMinor,
    declinedWithdrawals: declined.map(({ transactionId, amountMinor, feeMinor }) => ({
      transactionId,
      amountMinor,
      feeMinor,
    })),
    bonusLostMinor: bonusMinor - bonusReturnedMinor,
  }
  const releasedMinor = declined.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
  return {
    data,
    postings: [
      ...createMovePostings(account.getHeldCode(bonusTo, 'referral'), available, releasedMinor),
      ...createMovePostings(available, account.getOperatorCode('marketing'), bonusReturnedMinor),
    ],
  }
}

/**
 * Declines the withdrawals and adds a transaction that shows the returned bonus. The transaction
 * omits the reason why the investment ended, because the referrer must not learn this reason.
 */
export function applyBonusReturn(
  view: View,
  event: PlacedEvent,
  returned: BonusReturn & { investmentId: Id },
): void {
  const { investmentId, bonusTo, bonusReturnedMinor, bonusLostMinor } = returned
  if (bonusTo === null) return
  for (const { transactionId, amountMinor } of returned.declinedWithdrawals) {
    removeReleasedWithdrawal(view, {
      transactionId,
      investorId: bonusTo,
      amountMinor,
      source: 'referral',
    })
    applyDecision(view, event, { transactionId, status: 'declined', reason: DECLINE_REASON })
  }
  if (bonusReturnedMinor + bonusLostMinor === 0n) return
  updateInvestor(view, bonusTo, (referrer) => ({
    referralMinor: referrer.referralMinor - bonusReturnedMinor,
    bonusLostMinor: referrer.bonusLostMinor + bonusLostMinor,
  }))
  if (bonusReturnedMinor === 0n) return
  openTransaction(view, event, {
    transactionId: followingId.deriveBonusReturnId(investmentId),
    type: 'transfer',
    purpose: 'bonus-return',
    status: 'success',
    investorId: bonusTo,
    investmentId,
    amountMinor: bonusReturnedMinor,
    isCredit: false,
    method: 'referral',
  })
}
