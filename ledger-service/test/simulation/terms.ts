import type { MoneyRules, PlanTerms } from '@cairn/ledger-contracts'

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
