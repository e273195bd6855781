import { createId, type RecordedEvent } from '@cairn/ledger-contracts'
import { expect, test } from 'vitest'
import { createRecordedEvent } from '../../../testing/recorded-event.ts'
import { listBonuses } from './bonuses.ts'

const AT = '2026-10-24T22:14:59.000Z'
const [REFERRER, BUYER, INVESTMENT] = [createId(1), createId(2), createId(3)]

function createEvent(type: string, data: RecordedEvent['data']): RecordedEvent {
  return createRecordedEvent({ type, data, recordedAt: AT })
}

function createCancellation(bonusTo: string | null, bonusReturnedMinor: string): RecordedEvent {
  return createEvent('InvestmentCancelled', {
    investmentId: INVESTMENT,
    investorId: BUYER,
    principalMinor: '10000',
    profitReturnedMinor: '0',
    releasedMinor: '500',
    bonusTo,
    bonusReturnedMinor,
    declinedWithdrawals: [],
    bonusLostMinor: '0',
  })
}

test('a paid bonus counts for the referrer, and a returned bonus is subtracted', () => {
  const paid = createEvent('ReferralBonusPaid', {
    investmentId: INVESTMENT,
    bonusTo: REFERRER,
    bonusMinor: '1000',
  })
  expect(listBonuses(paid)).toEqual([{ investorId: REFERRER, at: AT, amountMinor: 1_000n }])
  expect(listBonuses(createCancellation(REFERRER, '700'))).toEqual([
    { investorId: REFERRER, at: AT, amountMinor: -700n },
  ])
})

test('an event without a bonus counts nothing', () => {
  expect(listBonuses(createCancellation(null, '0'))).toEqual([])
  expect(listBonuses(createCancellation(REFERRER, '0'))).toEqual([])
  expect(listBonuses(createEvent('ReferralBonusForfeited', {}))).toEqual([])
})
