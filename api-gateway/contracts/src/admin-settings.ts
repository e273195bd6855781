import { z } from 'zod'
import { SECOND_PERSON_FAILURES } from './change-failures.ts'
import { endpoint } from './endpoint.ts'
import { failure, LEDGER_COMMAND_FAILURES, LEDGER_QUERY_FAILURES } from './failures.ts'
import { Instant } from './fields.ts'
import { PaymentMethod } from './payment-methods.ts'
import { settings } from './setting-descriptors.ts'
import { answerShape } from './setting-kinds.ts'
import { SettingsForm } from './settings-form.ts'

export const AdminSettings = z.object({
  general: z.object(answerShape(settings.general)),
  security: z.object(answerShape(settings.security)),
  notifications: z.object(answerShape(settings.notifications)),
  payment: z.object(answerShape(settings.payment)),
  /** Send this version back when saving; saving fails if it is outdated. */
  version: z.int(),
})
export type AdminSettings = z.infer<typeof AdminSettings>

const answer = z.object({
  settings: AdminSettings,
  /** The client address of this request, as the allow list compares it. */
  callerAddress: z.string(),
  /** Methods that have no integration yet and are not offered even if the settings list them. */
  unconnectedMethods: z.array(PaymentMethod),
  updatedAt: Instant.nullable(),
})

export const getAdminSettings = endpoint({
  method: 'GET',
  path: '/admin/settings',
  permission: 'settings.read',
  response: answer,
  failures: [...LEDGER_QUERY_FAILURES],
})

/**
 * Saves all settings. 400 `INVALID` with `errors` as a map of leaf names; 409 `VERSION_CONFLICT`
 * with `details.fields` if another administrator has saved since; 409 `LOCKOUT_RISK` if the allow
 * list excludes the caller's address; 409 `MFA_NOT_ENROLLED` if it requires a second factor that
 * the caller does not have (`confirm` overrides both); 409 `CURRENCY_IN_USE` if the currency
 * changes after money has moved. If dual control is required and a change weakens a control, nothing
 * is saved and the answer is 409 `CHANGE_REQUESTED`, with the weakened fields in `errors`.
 */
export const saveAdminSettings = endpoint({
  method: 'POST',
  path: '/admin/settings',
  permission: 'settings.write',
  request: z.strictObject({ body: SettingsForm }),
  errors: 'map',
  response: answer,
  failures: [
    failure(
      409,
      'VERSION_CONFLICT',
      'Another administrator has changed the settings. Load them again and repeat your change.',
    ),
    ...SECOND_PERSON_FAILURES,
    failure(409, 'CURRENCY_IN_USE', 'The currency cannot be changed after money has moved'),
    failure(
      409,
      'LOCKOUT_RISK',
      'Your own address {address} is not in the list: you would lock yourself out. Add it, or confirm.',
    ),
    failure(
      409,
      'MFA_NOT_ENROLLED',
      'Set up two-factor authentication for yourself first, or confirm: you will then set it up before your next step.',
    ),
    failure(
      409,
      'PASSKEY_NOT_USED',
      'Log in with your own passkey before you require one of administrators',
    ),
    ...LEDGER_COMMAND_FAILURES,
  ],
})
