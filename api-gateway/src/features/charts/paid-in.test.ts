import type { RecordedEvent } from '@cairn/ledger-contracts'
import { expect, test } from 'vitest'
import { createRecordedEvent } from '../../../testing/recorded-event.ts'
import { sumByQuarterHour } from './curves.ts'

const investorId = '0123456789abcdefghjk'
const AT = '2026-10-24T22:14:59.000Z'
const WALLET = `investor:${investorId}:balance`
const decided = { transactionId: '0123456789abcdefghj0', investorId, feeMinor: '100' }
const withdrawn = { ...decided, source: 'balance', cash: 'cash:bank', payoutReference: null }

type Part = Pick<RecordedEvent, 'type' | 'data'> & Partial<RecordedEvent>

function sumPaidIn(parts: readonly Part[]) {
  const { investors } = sumByQuarterHour(
    parts.map((part) => createRecordedEvent({ recordedAt: AT, ...part })),
  )
  return [...investors.values()].map((row) => {
    return { investorId: row.investorId, at: row.at, paidInMinor: row.paidInMinor }
  })
}

function sum(...parts: readonly Part[]): readonly bigint[] {
  return sumPaidIn(parts).map(({ paidInMinor }) => paidInMinor)
}

const deposit: Part = {
  type: 'DepositApproved',
  data: { ...decided, amountMinor: '5000', requestedMinor: '5000', cash: 'cash:bank' },
}
const withdrawal: Part = { type: 'WithdrawalApproved', data: { ...withdrawn, amountMinor: '2000' } }
const reverse = (type: string, to: 'success' | 'declined', amountMinor: string): Part => ({
  type,
  data: { ...withdrawn, amountMinor, to, reason: 'A mistake' },
})

test('deposits add to the paid-in money and withdrawals reduce it, both before fees', () => {
  expect(sum(deposit, withdrawal)).toEqual([3_000n])
  expect(sum(withdrawal)).toEqual([-2_000n])
})

test('a reversal undoes the change, and a second reversal makes it again', () => {
  const undone = reverse('DepositReversed', 'declined', '5000')
  expect(sum(deposit, undone)).toEqual([0n])
  expect(sum(deposit, undone, reverse('DepositReversed', 'success', '5000'))).toEqual([5_000n])
  const returned = reverse('WithdrawalReversed', 'declined', '2000')
  expect(sum(deposit, withdrawal, returned)).toEqual([5_000n])
  expect(sum(returned, reverse('WithdrawalReversed', 'success', '2000'))).toEqual([0n])
})

test('profit and money of the operator are not paid in', () => {
  const posting = { account: WALLET, amountMinor: 700n }
  const data = { transactionId: decided.transactionId, investorId, wallet: 'balance' }
  const funded = { ...data, amountMinor: '700', category: null, reason: null }
  expect(sum({ type: 'WalletFunded', data: funded, postings: [posting] })).toEqual([0n])
  expect(sum({ type: 'ATypeOfANewerVersion', data: {}, postings: [posting] })).toEqual([0n])
})

test('an imported balance in the currency of the site is paid in', () => {
  const line = { fileSha256: '', line: '1', lastLine: '1', asset: 'USD', isCredit: true }
  const data = { ...line, account: WALLET, amountMinor: '900' }
  const own = { account: WALLET, amountMinor: 900n }
  const operator = { account: 'opening', amountMinor: -900n }
  expect(sum({ type: 'BalanceImported', data, postings: [own, operator] })).toEqual([900n])
})

test('the changes of a quarter of an hour and of an investor are one row', () => {
  const other = '0123456789abcdefghjm'
  const later = { ...deposit, effectiveAt: '2026-10-24T22:15:00.000Z' }
  const data = { ...deposit.data, investorId: other }
  const rows = sumPaidIn([deposit, deposit, later, { ...deposit, data }])
  expect(rows).toEqual([
    { investorId, at: '2026-10-24T22:00:00.000Z', paidInMinor: 10_000n },
    { investorId, at: '2026-10-24T22:15:00.000Z', paidInMinor: 5_000n },
    { investorId: other, at: '2026-10-24T22:00:00.000Z', paidInMinor: 5_000n },
  ])
})
