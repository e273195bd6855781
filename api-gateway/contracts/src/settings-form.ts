import { z } from 'zod'
import { changeReason } from './change-failures.ts'
import { Flag } from './fields.ts'
import { settings } from './setting-descriptors.ts'
import { formShape } from './setting-kinds.ts'

type Limits = Readonly<Record<'dailyWithdrawalLimit' | 'monthlyWithdrawalLimit', Limit>>
type Limit = bigint | null | undefined

/** Refuses a limit below the minimum withdrawal, because no withdrawal could pass it. */
function requireUsableLimits(
  payment: Partial<Limits> & { minWithdrawal: bigint },
  context: z.RefinementCtx,
): void {
  for (const name of ['dailyWithdrawalLimit', 'monthlyWithdrawalLimit'] as const) {
    const limit = payment[name] ?? null
    if (limit === null || limit >= payment.minWithdrawal) continue
    const message = 'Enter at least the minimum withdrawal, or nothing'
    context.addIssue({ code: 'custom', path: [name], message })
  }
}

/**
 * The documented keys are required. Of the other keys, missing ones keep their values. Parsed
 * amounts are in minor units and parsed percentages in parts per million.
 */
export const SettingsForm = z.strictObject({
  general: z.strictObject(formShape(settings.general)),
  security: z.strictObject(formShape(settings.security)),
  notifications: z.strictObject(formShape(settings.notifications)),
  payment: z.strictObject(formShape(settings.payment)).superRefine(requireUsableLimits),
  /** The version of the loaded settings; 409 if another version is in force. */
  version: z.int().min(0).optional(),
  /** Saves even if the change locks the caller out. */
  confirm: Flag.optional(),
  ...changeReason,
})
export type SettingsForm = z.input<typeof SettingsForm>
