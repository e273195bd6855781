import { z } from 'zod'
import { CHANGE_FAILURES, changeReason } from './change-failures.ts'
import { declareEndpoint } from './endpoint.ts'
import { LEDGER_QUERY_FAILURES } from './failures.ts'
import { createRequiredTextField, Email } from './fields.ts'
import { RoleChoices } from './permissions.ts'
import { User } from './users.ts'

/**
 * Creates an administrator without a password and mails a link that sets the password. If dual
 * control is required, the answer is 409 `CHANGE_REQUESTED`, and the account is created after
 * another administrator has approved it.
 */
export const inviteAdmin = declareEndpoint({
  method: 'POST',
  path: '/users/invite',
  permission: 'admins.invite',
  request: z.strictObject({
    body: z.strictObject({
      name: createRequiredTextField('Name', 120),
      email: Email,
      /** If the request names no role, the administrator becomes an owner. */
      roles: RoleChoices.optional(),
      ...changeReason,
    }),
  }),
  status: 201,
  response: z.object({ user: User }),
  failures: [...CHANGE_FAILURES, ...LEDGER_QUERY_FAILURES],
})
