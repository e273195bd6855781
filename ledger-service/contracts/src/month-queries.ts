import { z } from 'zod'
import { Minor } from './money.ts'

/** A UTC month, such as `2026-10`. */
export const Month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/)
export type Month = z.infer<typeof Month>

export const SignedTrialBalance = z.object({
  month: Month,
  /** The number of events in the log at the end of the month. */
  size: Minor,
  /** The signed note. `openTrialBalance` reads such notes. */
  note: z.string(),
  signedAt: z.string(),
})
export type SignedTrialBalance = z.infer<typeof SignedTrialBalance>

export const monthQueries = {
  /** The signed trial balances of ended months, newest first. */
  trialBalances: {
    request: z.strictObject({ before: Month.nullable(), limit: z.int().min(1).max(120) }),
    response: z.object({
      trialBalances: z.array(SignedTrialBalance),
      verifierKeys: z.array(z.string()),
    }),
  },
} as const

/** The months that this call closed. */
export const ClosedMonths = z.object({ closed: z.array(Month) })
