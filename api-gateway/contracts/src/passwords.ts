import { z } from 'zod'
import { BENEFICIARY_FAILURE, CHANGE_FAILURES, changeReasonBody } from './change-failures.ts'
import { declareEndpoint, NoContent } from './endpoint.ts'
import {
  declareFailure,
  declareNotFound,
  HASHING_BUSY,
  LEDGER_QUERY_FAILURES,
  PASSWORD_FAILURES,
} from './failures.ts'
import { byId, createOptionalTextField, Email } from './fields.ts'
import { User } from './users.ts'

export const PASSWORD_CHARACTERS_MIN = 8
export const PASSWORD_CHARACTERS_MAX = 128
/** Maximum length of a password in bytes. Longer input is refused before any hashing. */
export const PASSWORD_BYTES_MAX = 1_024
export const RESET_LINK_MINUTES = 30

export function createPasswordField(label: string) {
  return z
    .string(`${label} is required`)
    .min(1, `${label} is required`)
    .refine(
      (text) => new TextEncoder().encode(text).length <= PASSWORD_BYTES_MAX,
      `${label} is too long`,
    )
}

export const CurrentPassword = createPasswordField('Current password')

export function createNewPasswordField(label: string) {
  return z
    .string(`${label} is required`)
    .min(1, `${label} is required`)
    .min(PASSWORD_CHARACTERS_MIN, 'Password must be at least 8 characters')
    .max(PASSWORD_CHARACTERS_MAX, 'Password must be at most 128 characters')
}

export const PasswordConfirm = z
  .string('Please confirm your password')
  .min(1, 'Please confirm your password')

export const PASSWORDS_DIFFER = 'Passwords do not match'

/**
 * Changes the password, ends the other sessions of the user, and pauses withdrawals until the
 * user's `credentialHoldUntil`.
 */
export const changePassword = declareEndpoint({
  method: 'PATCH',
  path: '/users/me/password',
  access: 'arriving',
  request: z.strictObject({
    body: z
      .strictObject({
        currentPassword: CurrentPassword,
        newPassword: createNewPasswordField('New password'),
        passwordConfirm: PasswordConfirm,
      })
      .refine((form) => form.newPassword === form.passwordConfirm, {
        path: ['passwordConfirm'],
        message: PASSWORDS_DIFFER,
      }),
  }),
  response: z.object({ user: User }),
  failures: [...PASSWORD_FAILURES, ...LEDGER_QUERY_FAILURES],
})

/**
 * Mails a link that sets a password. The answer is the same for registered and unregistered
 * addresses, so it does not reveal which addresses are registered.
 */
export const forgotPassword = declareEndpoint({
  method: 'POST',
  path: '/users/forgot_password',
  access: 'anyone',
  request: z.strictObject({ body: z.strictObject({ email: Email }) }),
  response: z.object({ linkMinutes: z.int() }),
})

const Token = z.string('The link is not complete').min(1).max(100)

/**
 * Returns the purpose of a link that sets a password. Answers 400 `LINK_EXPIRED` if the link is not
 * valid.
 */
export const checkLink = declareEndpoint({
  method: 'POST',
  path: '/users/reset_password/check',
  access: 'anyone',
  request: z.strictObject({ body: z.strictObject({ token: Token }) }),
  response: z.object({
    purpose: z.enum(['reset', 'setup']),
    /**
     * True if the link is for the first administrator, who enters email and name with the
     * password.
     */
    isAccountNeeded: z.boolean(),
  }),
  failures: [
    declareFailure(400, 'LINK_EXPIRED', 'This link is no longer valid. Please ask for a new link.'),
  ],
})

/**
 * Sets a password by a link. The user is not logged in, and the second factor remains. All sessions
 * end and withdrawals pause. Answers 400 `LINK_EXPIRED` if the link is not valid. `email` and
 * `name` are allowed only if `isAccountNeeded` is true.
 */
export const resetPassword = declareEndpoint({
  method: 'POST',
  path: '/users/reset_password',
  access: 'anyone',
  request: z.strictObject({
    body: z
      .strictObject({
        token: Token,
        password: createNewPasswordField('Password'),
        passwordConfirm: PasswordConfirm,
        email: Email.optional(),
        name: createOptionalTextField('Name', 120),
      })
      .refine((form) => form.password === form.passwordConfirm, {
        path: ['passwordConfirm'],
        message: PASSWORDS_DIFFER,
      }),
  }),
  status: 204,
  response: NoContent,
  failures: [
    declareFailure(400, 'LINK_EXPIRED', 'This link is no longer valid. Please ask for a new link.'),
    declareFailure(403, 'ACCOUNT_CLOSED', 'This account is not active'),
    HASHING_BUSY,
  ],
})

/** Ends the sessions of a user and mails a link. Only that link can set a new password. */
export const forcePasswordReset = declareEndpoint({
  method: 'POST',
  path: '/users/:id/force_reset',
  permission: 'users.credentials',
  request: byId.extend({ body: changeReasonBody }),
  status: 204,
  response: NoContent,
  failures: [
    declareNotFound('user'),
    ...CHANGE_FAILURES,
    BENEFICIARY_FAILURE,
    ...LEDGER_QUERY_FAILURES,
  ],
})
