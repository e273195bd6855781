import { z } from 'zod'
import { BENEFICIARY_FAILURE, CHANGE_FAILURES } from './change-failures.ts'
import { declareEndpoint, NoContent } from './endpoint.ts'
import {
  declareFailure,
  declareNotFound,
  FRESH_PROOF_FAILURES,
  LEDGER_QUERY_FAILURES,
  LOGIN_REFUSALS,
  MFA_FAILURES,
  PASSWORD_FAILURES,
  STEP_UP_REQUIRED,
} from './failures.ts'
import { byId, createRequiredTextField, Instant } from './fields.ts'
import { CurrentPassword } from './passwords.ts'
import { OwnPermissions, User } from './users.ts'

export const RECOVERY_CODES = 10

export const MfaMethod = z.enum(['passkey', 'totp', 'recovery'])
export type MfaMethod = z.infer<typeof MfaMethod>

/**
 * The answer to a correct password if the login requires a second factor. This answer contains no
 * user.
 */
export const MfaNeeded = z.object({
  required: z.literal(true),
  /**
   * False if the user must first enrol a second factor (`users/me/mfa/setup`, then `enable`). Until
   * the enrolment, all other endpoints refuse the user.
   */
  isEnrolled: z.boolean(),
  methods: z.array(MfaMethod),
})
export type MfaNeeded = z.infer<typeof MfaNeeded>

/** Six digits of the authenticator app, or a recovery code. Spaces and hyphens are ignored. */
const MfaCode = z
  .string('Enter the code')
  .max(40, 'Enter the code')
  .transform((text) => text.replace(/[\s-]/g, '').toUpperCase())
  .pipe(
    z.string().regex(/^(\d{6}|[0-9A-HJKMNP-TV-Z]{16})$/, 'Enter the six digits or a recovery code'),
  )

const TotpCode = z
  .string('Enter the code')
  .transform((text) => text.replace(/\s/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, 'Enter the six digits'))

const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

/**
 * Completes a login that was answered with `mfa`. Answers 400 `MFA_CODE_WRONG` for a wrong code.
 * Answers 429 `MFA_DELAYED` after five attempts in five minutes. Answers 401 `MFA_LOGIN_EXPIRED` if
 * the password was entered more than ten minutes ago.
 */
export const loginMfa = declareEndpoint({
  method: 'POST',
  path: '/users/login/mfa',
  access: 'anyone',
  request: z.strictObject({ body: z.strictObject({ code: MfaCode }) }),
  /** The answer has `mfa` instead of `user` if an administrator must add a passkey first. */
  response: z.object({
    user: User.optional(),
    permissions: OwnPermissions.optional(),
    mfa: MfaNeeded.optional(),
  }),
  failures: [
    declareFailure(401, 'MFA_LOGIN_EXPIRED', 'This login is no longer valid. Please log in again.'),
    declareFailure(401, 'PASSKEY_REQUIRED', 'Please log in again with your passkey'),
    ...LOGIN_REFUSALS,
    ...MFA_FAILURES,
    ...LEDGER_QUERY_FAILURES,
  ],
})

export const getMfa = declareEndpoint({
  method: 'GET',
  path: '/users/me/mfa',
  access: 'arriving',
  response: z.object({
    mfa: z.object({
      /** True if the user has enrolled an authenticator app. */
      isEnabled: z.boolean(),
      /** True if the user must have a second factor and therefore cannot remove the last one. */
      isRequired: z.boolean(),
      enabledAt: Instant.nullable(),
      /** True if the account has a second factor: an app, a passkey or both. */
      hasFactor: z.boolean(),
      recoveryCodesLeft: z.int(),
    }),
  }),
})

/**
 * Creates a secret for an authenticator app. The password is required (403 `PASSWORD_NEEDED`). If
 * the user has a passkey, a recent step-up is required instead (403 `STEP_UP_REQUIRED`).
 */
export const setUpMfa = declareEndpoint({
  method: 'POST',
  path: '/users/me/mfa/setup',
  access: 'arriving',
  request: z.strictObject({ body: z.strictObject({ password: CurrentPassword.optional() }) }),
  response: z.object({
    /** The secret in base 32, for users who enter it by hand. */
    secret: z.string(),
    /** The secret as an `otpauth://totp/…` URI. */
    uri: z.string(),
    /** The same URI as a QR code: a data URL of an SVG. */
    qr: z.string(),
  }),
  failures: [
    ...FRESH_PROOF_FAILURES,
    declareFailure(409, 'MFA_ALREADY_ON', 'Two-factor authentication is on already'),
  ],
})

/**
 * Turns the app on as a second factor and ends the other sessions. Returns the recovery codes,
 * which are shown only in this answer.
 */
export const enableMfa = declareEndpoint({
  method: 'POST',
  path: '/users/me/mfa/enable',
  access: 'arriving',
  request: z.strictObject({ body: z.strictObject({ code: TotpCode }) }),
  response: RecoveryCodes,
  failures: [
    declareFailure(409, 'MFA_ALREADY_ON', 'Two-factor authentication is on already'),
    ...MFA_FAILURES,
  ],
})

/**
 * Removes the app as a second factor. Answers 409 `MFA_IS_REQUIRED` for an administrator if the
 * settings require a second factor.
 */
export const disableMfa = declareEndpoint({
  method: 'POST',
  path: '/users/me/mfa/disable',
  access: 'session',
  request: z.strictObject({
    body: z.strictObject({ password: CurrentPassword, code: MfaCode }),
  }),
  status: 204,
  response: NoContent,
  failures: [
    declareFailure(
      409,
      'MFA_IS_REQUIRED',
      'This site requires a second factor for administrators: it cannot be switched off',
    ),
    STEP_UP_REQUIRED,
    ...PASSWORD_FAILURES,
    ...MFA_FAILURES,
  ],
})

/**
 * Removes the second factor of a user who lost the app and the recovery codes. The audit log
 * records how the administrator checked the identity. The sessions end, withdrawals pause, and a
 * mail informs the user.
 */
export const resetUserMfa = declareEndpoint({
  method: 'POST',
  path: '/users/:id/reset_mfa',
  permission: 'users.credentials',
  request: byId.extend({
    body: z.strictObject({ proof: createRequiredTextField('Identity check', 500) }),
  }),
  status: 204,
  response: NoContent,
  failures: [
    declareNotFound('user'),
    declareFailure(409, 'MFA_OWN', 'Change your own second factor in your account settings'),
    declareFailure(409, 'MFA_NOT_ON', 'Two-factor authentication is not on'),
    ...CHANGE_FAILURES,
    BENEFICIARY_FAILURE,
    ...LEDGER_QUERY_FAILURES,
  ],
})

/** Replaces all recovery codes. Without a code, a recent step-up is required. */
export const renewRecoveryCodes = declareEndpoint({
  method: 'POST',
  path: '/users/me/mfa/recovery_codes',
  access: 'session',
  request: z.strictObject({
    body: z.strictObject({ password: CurrentPassword, code: TotpCode.optional() }),
  }),
  response: RecoveryCodes,
  failures: [STEP_UP_REQUIRED, ...PASSWORD_FAILURES, ...MFA_FAILURES],
})

/**
 * Repeats the second factor (step-up) for a call that was answered with 403 `STEP_UP_REQUIRED`.
 * Answers 400 `MFA_CODE_WRONG` for a wrong code, and 429 `MFA_DELAYED` after too many attempts.
 */
export const stepUp = declareEndpoint({
  method: 'POST',
  path: '/users/me/step_up',
  access: 'arriving',
  request: z.strictObject({ body: z.strictObject({ code: MfaCode }) }),
  status: 204,
  response: NoContent,
  failures: [
    declareFailure(
      403,
      'PASSKEY_NEEDED',
      'Please confirm with your passkey: administrators of this site must use one',
    ),
    ...MFA_FAILURES,
  ],
})
