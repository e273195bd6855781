import { z } from 'zod'
import { SECOND_PERSON_FAILURES } from './change-failures.ts'
import { declareEndpoint } from './endpoint.ts'
import { declareFailure, LEDGER_COMMAND_FAILURES, LEDGER_QUERY_FAILURES } from './failures.ts'
import { Instant } from './fields.ts'
import { PaymentMethod } from './payment-methods.ts'
import { settings } from './setting-descriptors.ts'
import { getAnswerShape } from './setting-kinds.ts'
import { SettingsForm } from './settings-form.ts'

export const AdminSettings = z.object({
  general: z.object(getAnswerShape(settings.general)),
  security: z.object(getAnswerShape(settings.security)),
  notifications: z.object(getAnswerShape(settings.notifications)),
  payment: z.object(getAnswerShape(settings.payment)),
  /**
   * The version of the settings. A request is refused if its version is older than the stored
   * version.
   */
  version: z.int(),
})
export type AdminSettings = z.infer<typeof AdminSettings>

const answer = z.object({
  settings: AdminSettings,
  /** The client address of this request, normalised like the addresses of the allow list. */
  callerAddress: z.string(),
  /**
   * Payment methods without an integration. The site does not offer these methods to investors,
   * even if the settings allow them.
   */
  unconnectedMethods: z.array(PaymentMethod),
  updatedAt: Instant.nullable(),
})

export const getAdminSettings = declareEndpoint({
  method: 'GET',
  path: '/admin/settings',
  permission: 'settings.read',
  response: answer,
  failures: [...LEDGER_QUERY_FAILURES],
})

/**
 * Saves all settings. Answers 409 `VERSION_CONFLICT` if another administrator has saved a newer
 * version; `details.fields` names the changed fields. Answers 409 `LOCKOUT_RISK` or
 * `MFA_NOT_ENROLLED` if the caller would be locked out, unless `confirm` is true. Answers 409
 * `CHANGE_REQUESTED` if a change weakens a control and dual control is required.
 */
export const saveAdminSettings = declareEndpoint({
  method: 'POST',
  path: '/admin/settings',
  permission: 'settings.write',
  request: z.strictObject({ body: SettingsForm }),
  errors: 'map',
  response: answer,
  failures: [
    declareFailure(
      409,
      'VERSION_CONFLICT',
      'Another administrator has changed the settings. Load them again and repeat your change.',
    ),
    ...SECOND_PERSON_FAILURES,
    declareFailure(409, 'CURRENCY_IN_USE', 'The currency cannot be changed after money has moved'),
    declareFailure(
      409,
      'LOCKOUT_RISK',
      'Your own address {address} is not in the list: you would lock yourself out. Add it, or confirm.',
    ),
    declareFailure(
      409,
      'MFA_NOT_ENROLLED',
      'Set up two-factor authentication for yourself first. If you save anyway, you must set it up before you can continue.',
    ),
    declareFailure(
      409,
      'PASSKEY_NOT_USED',
      'Log in with your own passkey before you require passkeys for administrators',
    ),
    ...LEDGER_COMMAND_FAILURES,
  ],
})
