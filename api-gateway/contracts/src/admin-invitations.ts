import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { LEDGER_QUERY_FAILURES } from './failures.ts'
import { Email, requiredText } from './fields.ts'
import { RoleChoices } from './permissions.ts'
import { User } from './users.ts'

/**
 * Creates an administrator without a password and mails a link to set one. If the settings require
 * two administrators, the account is `pending` and the link is mailed after another administrator
 * has approved it.
 */
export const inviteAdmin = endpoint({
  method: 'POST',
  path: '/users/invite',
  permission: 'admins.invite',
  request: z.strictObject({
    body: z.strictObject({
      name: requiredText('Name', 120),
      email: Email,
      /** Without roles the administrator becomes an owner. */
      roles: RoleChoices.optional(),
    }),
  }),
  status: 201,
  response: z.object({ user: User }),
  failures: [...LEDGER_QUERY_FAILURES],
})
