import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { LEDGER_ASKED } from './failures.ts'
import { Email, requiredText } from './fields.ts'
import { User } from './users.ts'

/**
 * Makes an administrator who has no password yet: a link to set one is mailed. Where two administrators
 * decide, the account is `pending` and the link is mailed once another one has approved it.
 */
export const inviteAdmin = endpoint({
  method: 'POST',
  path: '/users/invite',
  access: 'admin',
  request: z.strictObject({
    body: z.strictObject({ name: requiredText('Name', 120), email: Email }),
  }),
  status: 201,
  response: z.object({ user: User }),
  failures: [...LEDGER_ASKED],
})
