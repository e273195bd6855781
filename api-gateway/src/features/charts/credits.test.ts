import type { RecordedEvent } from '@cairn/ledger-contracts'
import { expect, test } from 'vitest'
import { createRecordedEvent } from '../../../testing/recorded-event.ts'
import { listCredits } from './credits.ts'
import { sumByQuarter } from './investor-quarters.ts'

const [IVY, NOAH] = ['0123456789abcdefghjk', '0123456789abcdefghjm']

function createEvent(
  type: string,
  postings: RecordedEvent['postings'],
  minute = 14,
): RecordedEvent {
  return createRecordedEvent({ type, postings, recordedAt: `2026-10-24T22:${minute}:59.000Z` })
}

function sumCredits(events: readonly RecordedEvent[]) {
  return sumByQuarter(events.flatMap(listCredits))
}

function createPosting(account: string, amountMinor: bigint) {
  return { account, amountMinor }
}

test('a funding of each wallet is a credit, and a correction can take it away', () => {
  const credits = ['balance', 'profit', 'referral'].map((wallet) =>
    createEvent('WalletFunded', [
      createPosting(`investor:${IVY}:${wallet}`, 700n),
      createPosting('adjustments', -700n),
    ]),
  )
  const debit = createEvent('WalletAdjusted', [
    createPosting(`investor:${IVY}:balance`, -100n),
    createPosting('adjustments', 100n),
  ])
  expect(sumCredits([...credits, debit])).toEqual([
    { investorId: IVY, at: '2026-10-24T22:00:00.000Z', amountMinor: 2_000n },
  ])
})

test('profit, bonuses, deposits and money in another asset are no credit', () => {
  const own = [createPosting(`investor:${IVY}:balance`, 700n), createPosting('cash:bank', -700n)]
  for (const type of ['DepositApproved', 'ProfitAccrued', 'ReferralBonusPaid', 'BalanceImported'])
    expect(sumCredits([createEvent(type, own)])).toEqual([])
  const foreign = [createPosting(`investor:${IVY}:balance@EUR/2`, 700n)]
  expect(sumCredits([createEvent('WalletFunded', foreign)])).toEqual([])
})

test('the credits of an investor in a quarter of an hour are one row', () => {
  const fund = (id: string, minute?: number) =>
    createEvent('WalletFunded', [createPosting(`investor:${id}:balance`, 500n)], minute)
  expect(sumCredits([fund(IVY), fund(NOAH), fund(IVY), fund(IVY, 15)])).toEqual([
    { investorId: IVY, at: '2026-10-24T22:00:00.000Z', amountMinor: 1_000n },
    { investorId: NOAH, at: '2026-10-24T22:00:00.000Z', amountMinor: 500n },
    { investorId: IVY, at: '2026-10-24T22:15:00.000Z', amountMinor: 500n },
  ])
})
