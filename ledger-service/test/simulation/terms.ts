import type { MoneyRules, PlanTerms } from '@cairn/ledger-contracts'
import type { Random } from './random.ts'

export const plainRules: MoneyRules = {
  depositFeePpm: 10_000,
  withdrawalFeePpm: 0,
  minimumDepositMinor: 1_000n,
  minimumWithdrawalMinor: 1_000n,
  coverageMode: 'disclose',
  isReferralEnabled: true,
  approvalThresholdMinor: null,
  coolingOffHours: 0,
  dailyWithdrawalLimitMinor: null,
  monthlyWithdrawalLimitMinor: null,
}

/** A plan with a term so short that it can end in a simulation, whose clock jumps by hours. */
export const starterPlan: PlanTerms = {
  name: 'Starter Plan',
  duration: 4,
  unit: 'hours',
  minimumMinor: 1_000n,
  maximumMinor: 30_000n,
  profitPpm: 50_000,
  referralBonusPpm: 20_000,
  returnPrincipal: true,
  isArchived: false,
}

/** Returns rules in which limits, fees and the threshold vary. */
export function createRandomRules(random: Random): MoneyRules {
  return {
    ...plainRules,
    withdrawalFeePpm: random.pickInt(50_000),
    approvalThresholdMinor: random.drawChance(0.3) ? 20_000n : null,
    coolingOffHours: random.pickInt(3),
    dailyWithdrawalLimitMinor: random.drawChance(0.3) ? 40_000n : null,
    monthlyWithdrawalLimitMinor: random.drawChance(0.3) ? 60_000n : null,
  }
}
