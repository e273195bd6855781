import { z } from 'zod'
import { changeReason } from './change-failures.ts'
import { Flag } from './fields.ts'
import { settings } from './setting-descriptors.ts'
import { getFormShape } from './setting-kinds.ts'

type Limits = Readonly<Record<'dailyWithdrawalLimit' | 'monthlyWithdrawalLimit', Limit>>
type Limit = bigint | null | undefined

/**
 * Reports an error if a withdrawal limit is below the minimum withdrawal. Such a limit would make
 * every withdrawal impossible.
 */
function requireUsableLimits(
  payment: Partial<Limits> & { minWithdrawal: bigint },
  context: z.RefinementCtx,
): void {
  for (const name of ['dailyWithdrawalLimit', 'monthlyWithdrawalLimit'] as const) {
    const limit = payment[name] ?? null
    if (limit === null || limit >= payment.minWithdrawal) continue
    const message = 'Enter at least the minimum withdrawal, or leave the field empty'
    context.addIssue({ code: 'custom', path: [name], message })
  }
}

/**
 * The request that saves the settings. Optional settings that are not sent keep their values.
 * Parsed amounts are in minor units, parsed percentages in parts per million.
 */
export const SettingsForm = z.strictObject({
  general: z.strictObject(getFormShape(settings.general)),
  security: z.strictObject(getFormShape(settings.security)),
  notifications: z.strictObject(getFormShape(settings.notifications)),
  payment: z.strictObject(getFormShape(settings.payment)).superRefine(requireUsableLimits),
  /**
   * The version of the settings that the page loaded. The answer is 409 if the settings have
   * changed since then.
   */
  version: z.int().min(0).optional(),
  /** True to save the settings even if the change locks the caller out. */
  confirm: Flag.optional(),
  ...changeReason,
})
export type SettingsForm = z.input<typeof SettingsForm>
