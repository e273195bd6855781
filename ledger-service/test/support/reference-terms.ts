import type { PlanTerms } from '@cairn/ledger-contracts'
import { plainRules } from './rule-book.ts'

interface Numbers {
  readonly one: number
  readonly other: number
  readonly flag: boolean
}

export const THRESHOLD_MINOR = 20_000n
/** A limit that is so low that two requests can exceed it. */
const DAILY_LIMIT_MINOR = 20_000n
const MONTHLY_LIMIT_MINOR = 30_000n

/** Returns the terms of a plan, from the random numbers of a step. */
export function createPlanTerms({ one, other, flag }: Numbers): PlanTerms {
  return {
    name: 'Reference',
    duration: 1 + (one % 4),
    unit: 'hours',
    minimumMinor: 1_000n,
    maximumMinor: other % 5 === 0 ? 900n : 30_000n,
    profitPpm: one * 97,
    referralBonusPpm: flag ? other * 31 : 0,
    returnPrincipal: one % 3 > 0,
    isArchived: other % 11 === 10,
  }
}

/** Returns money rules, from the random numbers of a step. */
export function createRules({ one, other, flag }: Numbers) {
  return {
    ...plainRules,
    depositFeePpm: one * 91,
    withdrawalFeePpm: other * 83,
    coverageMode: flag ? ('strict' as const) : ('disclose' as const),
    isReferralEnabled: one % 4 > 0,
    approvalThresholdMinor: other % 2 === 0 ? THRESHOLD_MINOR : null,
    coolingOffHours: one % 3,
    dailyWithdrawalLimitMinor: other % 3 > 0 ? DAILY_LIMIT_MINOR : null,
    monthlyWithdrawalLimitMinor: one % 3 > 0 ? MONTHLY_LIMIT_MINOR : null,
  }
}
