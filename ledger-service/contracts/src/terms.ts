import { z } from 'zod'
import { PositiveMinor, Ppm } from './money.ts'

export const PlanTerms = z.object({
  name: z.string().trim().min(1).max(120).nullable(),
  duration: z.int().min(1).max(100_000),
  unit: z.enum(['hours', 'days']),
  minimumMinor: PositiveMinor,
  maximumMinor: PositiveMinor.nullable(),
  /** The profit of the whole term, in parts per million of the principal. */
  profitPpm: Ppm,
  referralBonusPpm: Ppm,
  returnPrincipal: z.boolean(),
  isArchived: z.boolean(),
})
export type PlanTerms = z.infer<typeof PlanTerms>

export const MoneyRules = z.object({
  depositFeePpm: Ppm.max(100_000),
  withdrawalFeePpm: Ppm.max(100_000),
  minimumDepositMinor: PositiveMinor,
  minimumWithdrawalMinor: PositiveMinor,
  coverageMode: z.enum(['disclose', 'strict']),
  isReferralEnabled: z.boolean(),
  /**
   * The total amount that one approver moves alone within a day must stay below this threshold.
   * Null means no threshold.
   */
  approvalThresholdMinor: PositiveMinor.nullable(),
  /**
   * The hours in which an investor may cancel an investment. With 0, cancellation is not possible.
   */
  coolingOffHours: z.int().min(0).max(720),
  /**
   * The limits of one investor's requests in a UTC day and in a UTC month. Null means no limit. A
   * caller must send null explicitly. Otherwise a caller that does not know a limit could remove
   * the limit.
   */
  dailyWithdrawalLimitMinor: PositiveMinor.nullable(),
  monthlyWithdrawalLimitMinor: PositiveMinor.nullable(),
})
export type MoneyRules = z.infer<typeof MoneyRules>
