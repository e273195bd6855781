import { expect, test } from 'vitest'
import { describeCashAccount, groupPaymentAccounts, sortTreasuryFirst } from './payment-accounts.ts'
import type { Reserve } from './queries.ts'

const bank = { option: 'bank', name: 'Bank', balance: 70 }
const crypto = { option: 'crypto', name: 'Bitcoin', balance: 20.5 }
const treasury = { option: 'treasury', name: 'Treasury', balance: 1_000 }

function group(cash: Reserve['cash'], liabilities: number) {
  // The cast is safe because the function reads only these properties.
  return groupPaymentAccounts({ cash, liabilities } as Reserve)
}

test('the treasury is not in the sum of the payment accounts', () => {
  const grouped = group([bank, treasury, crypto], 100)
  expect(grouped.accounts).toEqual([bank, crypto])
  expect(grouped.treasury).toEqual(treasury)
  expect(grouped.sumMinor).toBe(9_050n)
})

test('the treasury is listed before the payment accounts', () => {
  expect(sortTreasuryFirst([bank, treasury, crypto])).toEqual([treasury, bank, crypto])
})

test('the rest is below zero if the payment accounts hold less than is owed', () => {
  expect(group([bank, treasury], 100).restMinor).toBe(-3_000n)
  expect(group([bank, treasury], 50).restMinor).toBe(2_000n)
  expect(group([], 0)).toMatchObject({ restMinor: 0n, treasury: undefined })
})

test('the treasury has to pay only what the payment accounts lack, if all cash is enough', () => {
  expect(group([bank, treasury], 100)).toMatchObject({
    cashRestMinor: 97_000n,
    fromTreasuryMinor: 3_000n,
  })
  expect(group([bank, treasury], 70)).toMatchObject({ fromTreasuryMinor: 0n })
  expect(group([bank], 100)).toMatchObject({ cashRestMinor: -3_000n, fromTreasuryMinor: 0n })
  expect(group([bank, treasury], 1_100)).toMatchObject({
    cashRestMinor: -3_000n,
    fromTreasuryMinor: 0n,
  })
  expect(group([bank, { ...treasury, balance: -10 }], 65)).toMatchObject({
    restMinor: 500n,
    cashRestMinor: -500n,
    fromTreasuryMinor: 0n,
  })
})

test('the name of the treasury says that it is no payment account', () => {
  expect([bank, treasury].map(describeCashAccount)).toEqual([
    'Bank',
    'Treasury, no payment account',
  ])
})
