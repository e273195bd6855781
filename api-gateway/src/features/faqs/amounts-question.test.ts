import { expect, test } from 'vitest'
import { answerAmounts } from './amounts-question.ts'

const rules = {
  minimumDepositMinor: 1_000n,
  minimumWithdrawalMinor: 2_050n,
  depositFeePpm: 0,
  withdrawalFeePpm: 15_000,
}

test('the minimum amounts and the fees are those of the money rules', () => {
  const { answer } = answerAmounts(rules, { position: 4, now: new Date(0) })
  expect(answer).toBe(
    'Deposits: at least $10, no fee. Withdrawals: at least $20.50, fee 1.5%. Each plan states its own minimum.',
  )
})
