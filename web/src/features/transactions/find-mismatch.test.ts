import { followingId } from '@cairn/gateway-contracts/following-ids'
import { expect, test } from 'vitest'
import { findMismatch } from './find-mismatch.ts'

const ID = '01jd8x4zq3kr5v7w9yab'
const facts = {
  seq: '41',
  type: 'DepositApproved',
  event: { seq: '41', data: { transactionId: ID } },
}
const wanted = { transactionId: ID, seq: '41', newestSeq: '41' }

test('the receipt of the newest event proves the transaction', () => {
  expect(findMismatch(facts, wanted)).toBeNull()
  expect(findMismatch(facts, { ...wanted, newestSeq: null })).toBeNull()
  // Since the page was loaded, another event was recorded.
  expect(findMismatch(facts, { ...wanted, newestSeq: '40' })).toBeNull()
  // The same event in the second ledger of the site.
  const further = { ...wanted, seq: '2000000000041', newestSeq: '2000000000041' }
  expect(findMismatch(facts, further)).toBeNull()
})

test('an event that also changes other transactions proves each of them', () => {
  const event = { data: { investmentId: 'i', declinedWithdrawals: [{ transactionId: ID }] } }
  expect(findMismatch({ ...facts, type: 'InvestmentDenied', event }, wanted)).toBeNull()
})

test.for([
  ['InvestmentOpened', followingId.derivePurchaseId(ID)],
  ['InvestmentMatured', followingId.derivePrincipalReturnId(ID)],
  ['InvestmentCancelled', followingId.derivePrincipalReturnId(ID)],
  ['InvestmentDenied', followingId.derivePrincipalReturnId(ID)],
  ['ReferralBonusPaid', followingId.deriveReferralBonusId(ID)],
] as const)('%s proves the transaction %s', ([type, transactionId]) => {
  const event = { data: { investmentId: ID } }
  const own = { ...wanted, transactionId }
  expect(findMismatch({ ...facts, type, event }, own)).toBeNull()
  const other = { data: { investmentId: '01jd8x4zq3kr5v7w9yac' } }
  expect(findMismatch({ ...facts, type, event: other }, own)).toContain('not about')
  expect(findMismatch({ ...facts, type: 'ProfitAccrued', event }, own)).toContain('not about')
})

test('a genuine receipt of another event does not prove the transaction', () => {
  const other = { ...facts, event: { data: { transactionId: '01jd8x4zq3kr5v7w9yac' } } }
  expect(findMismatch(other, wanted)).toContain('not about this transaction')
  const noted = { ...facts, event: { data: { reason: ID, investorId: ID } } }
  expect(findMismatch(noted, wanted)).toContain('not about this transaction')
  expect(findMismatch({ ...facts, seq: '40' }, wanted)).toContain('another event')
  expect(findMismatch({ ...facts, seq: '40' }, { ...wanted, seq: '40' })).toContain('earlier event')
})
