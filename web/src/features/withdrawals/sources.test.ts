import { expect, test } from 'vitest'
import { describeFilled } from './sources.ts'

test.each([
  [[0, 0, 0], 'No wallet holds money that you can withdraw.'],
  [[5, 0, 0], 'The money is in Wallet Balance.'],
  [[5, 0, 0.01], 'The money is in Wallet Balance and Referral Earnings.'],
  [[5, 1, 2], 'The money is in Wallet Balance, Investment Profit and Referral Earnings.'],
])('of the amounts %j, only wallets that hold money are named', (amounts, words) => {
  const [balance = 0, profit = 0, referralBalance = 0] = amounts
  expect(describeFilled({ balance, profit, referralBalance })).toBe(words)
})
