import { expect, test } from 'vitest'
import { MoneyRules } from './terms.ts'

const RULES: MoneyRules = {
  depositFeePpm: 0,
  withdrawalFeePpm: 10_000,
  minimumDepositMinor: 1_000n,
  minimumWithdrawalMinor: 1_000n,
  coverageMode: 'disclose',
  isReferralEnabled: true,
  approvalThresholdMinor: 100_000n,
  coolingOffHours: 24,
  dailyWithdrawalLimitMinor: 500_000n,
  monthlyWithdrawalLimitMinor: null,
}

test('money rules that omit a setting are invalid: an omission removes no limit', () => {
  const whole = Object.fromEntries(
    Object.entries(RULES).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? `${value}` : value,
    ]),
  )
  expect(MoneyRules.safeParse(whole).success).toBe(true)
  for (const name of Object.keys(RULES)) {
    const { [name]: _, ...rest } = whole
    expect(MoneyRules.safeParse(rest).success, name).toBe(false)
  }
})
