import { expect, test } from 'vitest'
import type { ClaimFacts } from './facts.ts'
import { CLAIM_RULES } from './rules.ts'

const free = {
  depositFeePpm: 0,
  withdrawalFeePpm: 0,
  minimumWithdrawalMinor: 1_000n,
  dailyWithdrawalLimitMinor: null,
  monthlyWithdrawalLimitMinor: null,
}

function evaluateFees(rules: object) {
  // The cast is safe because this rule reads only the money rules.
  const facts = { rules: { ...free, ...rules } } as unknown as ClaimFacts
  const { state, text } = CLAIM_RULES['free-transfers'].judge(facts)
  return { state, text }
}

test('transfers are free and unlimited where there is neither a fee nor a limit', () => {
  expect(evaluateFees({})).toEqual({ state: 'proved', text: 'Free unlimited transfers' })
})

test('a limit alone withholds the claim and is named', () => {
  expect(evaluateFees({ dailyWithdrawalLimitMinor: 500_000n })).toEqual({
    state: 'withheld',
    text: 'Transfers are free; at most $5,000 a day is withdrawn',
  })
  expect(evaluateFees({ depositFeePpm: 10_000, monthlyWithdrawalLimitMinor: 150_050n })).toEqual({
    state: 'withheld',
    text: 'Deposits cost 1%, withdrawals 0%; at most $1,500.50 a month is withdrawn',
  })
})
