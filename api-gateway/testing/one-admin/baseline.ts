import type { MoneyRules, PlanTerms } from '@cairn/ledger-contracts'

/** The approval threshold, in cents. */
export const THRESHOLD = 100_000n

/** Each control has a middle value, so that it can be weakened and strengthened. */
export const RULES: MoneyRules = {
  depositFeePpm: 20_000,
  withdrawalFeePpm: 0,
  minimumDepositMinor: 1_000n,
  minimumWithdrawalMinor: 1_000n,
  coverageMode: 'strict',
  isReferralEnabled: false,
  approvalThresholdMinor: THRESHOLD,
  coolingOffHours: 24,
  dailyWithdrawalLimitMinor: 100n * THRESHOLD,
  monthlyWithdrawalLimitMinor: 1_000n * THRESHOLD,
}
export const SECURITY = {
  twoFactorAuth: true,
  adminPasskey: true,
  stepUpMinutes: 15,
  loginAttempts: 5,
  passwordExpiry: 90,
  ipWhitelist: ['127.0.0.1'],
  autoApproveUsers: false,
  bankCoolingHours: 24,
  credentialHoldHours: 24,
}

export const TERMS: PlanTerms = {
  name: 'Ten days',
  duration: 10,
  unit: 'days',
  minimumMinor: 1_000n,
  maximumMinor: 10n ** 9n,
  profitPpm: 50_000,
  referralBonusPpm: 10_000,
  returnPrincipal: true,
  isArchived: false,
}
