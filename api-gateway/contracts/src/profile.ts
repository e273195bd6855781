import { z } from 'zod'
import { declareEndpoint } from './endpoint.ts'
import { declareFailure, LEDGER_QUERY_FAILURES, PASSWORD_FAILURES } from './failures.ts'
import { createRequiredTextField, Email } from './fields.ts'
import { CurrentPassword } from './passwords.ts'
import { User } from './users.ts'

export const EMAIL_CHANGE_DIGITS = 6
export const EMAIL_CHANGE_MINUTES = 30

export const ProfileForm = z.strictObject({
  name: createRequiredTextField('Name', 120),
  email: Email,
  phone: z
    .string()
    .trim()
    .regex(/^([+()\d][\d ().-]{3,30})?$/, 'Invalid phone number')
    .nullish(),
  /** The ISO code or the English name of a country. */
  country: z.string().trim().max(80).nullish(),
})
export type ProfileForm = z.input<typeof ProfileForm>

/**
 * Saves the profile. A new name of an approved user is stored as `pendingName` until an
 * administrator reviews it. A new email is stored as `pendingEmail` until the user confirms it. A
 * request with the current name or email withdraws the pending name or email.
 */
export const updateProfile = declareEndpoint({
  method: 'PUT',
  path: '/users/update-profile',
  access: 'session',
  request: z.strictObject({ body: ProfileForm }),
  response: z.object({ user: User }),
  failures: [...LEDGER_QUERY_FAILURES],
})

/**
 * Confirms a new email, ends the other sessions and pauses withdrawals. Answers 400 `CODE_WRONG`,
 * `CODE_EXPIRED` or `CODE_LOCKED` if the code cannot be used.
 */
export const confirmEmail = declareEndpoint({
  method: 'POST',
  path: '/users/me/email/confirm',
  access: 'session',
  request: z.strictObject({
    body: z.strictObject({
      code: z
        .string('Please enter the complete code.')
        .trim()
        .regex(/^\d{6}$/, 'Please enter the complete code.'),
      password: CurrentPassword,
    }),
  }),
  response: z.object({ user: User }),
  failures: [
    declareFailure(400, 'CODE_WRONG', 'That code is not right. You have {tries} left.'),
    declareFailure(
      400,
      'CODE_EXPIRED',
      'This code is no longer valid. To get a new code, save the address again.',
    ),
    ...PASSWORD_FAILURES,
    ...LEDGER_QUERY_FAILURES,
  ],
})
