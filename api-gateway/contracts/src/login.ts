import { z } from 'zod'
import { declareEndpoint, NoContent } from './endpoint.ts'
import {
  declareFailure,
  LEDGER_QUERY_FAILURES,
  LOGIN_REFUSALS,
  PASSWORD_FAILURES,
} from './failures.ts'
import { Email, Flag } from './fields.ts'
import { MfaNeeded } from './mfa.ts'
import { createPasswordField } from './passwords.ts'
import { OwnPermissions, User } from './users.ts'

export const LoginForm = z.strictObject({
  email: Email,
  password: createPasswordField('Password'),
  remember: Flag.optional(),
})
export type LoginForm = z.input<typeof LoginForm>

/**
 * Logs a user in. If a second factor is required, the answer has `mfa` and no `user`. If
 * `isPasswordExpired` is true, the user must first set a new password. Answers 403
 * `EMAIL_NOT_VERIFIED` for an unverified account and mails a code. Answers 429 `LOGIN_DELAYED`
 * after too many failures.
 */
export const login = declareEndpoint({
  method: 'POST',
  path: '/users/login',
  access: 'anyone',
  request: z.strictObject({ body: LoginForm }),
  response: z.object({
    user: User.optional(),
    permissions: OwnPermissions.optional(),
    mfa: MfaNeeded.optional(),
    isPasswordExpired: z.literal(true).optional(),
  }),
  failures: [
    declareFailure(401, 'WRONG_CREDENTIALS', 'Incorrect email or password'),
    declareFailure(
      403,
      'EMAIL_NOT_VERIFIED',
      'Please verify your email address. We have sent you a code.',
    ),
    ...LOGIN_REFUSALS,
    declareFailure(
      403,
      'PASSWORD_RESET_REQUIRED',
      'You have not logged in for a long time. We have sent you a link: set a new password to continue.',
    ),
    ...PASSWORD_FAILURES,
    ...LEDGER_QUERY_FAILURES,
  ],
})

export const logout = declareEndpoint({
  method: 'GET',
  path: '/users/logout',
  access: 'anyone',
  isUnsafeGet: true,
  response: NoContent,
})

export const logoutByPost = declareEndpoint({
  method: 'POST',
  path: '/users/logout',
  access: 'anyone',
  response: NoContent,
})
