import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { failure, LEDGER_QUERY_FAILURES, noSuch } from './failures.ts'
import { byId, requiredText } from './fields.ts'
import { User } from './users.ts'

/**
 * Decides on the new name of an approved user. The request must repeat the name, so that a name
 * that was changed after it was displayed is not decided on. A mail informs the user.
 */
export const reviewName = endpoint({
  method: 'PATCH',
  path: '/users/:id/name',
  permission: 'users.status',
  request: byId.extend({
    body: z.strictObject({
      name: requiredText('Name', 120),
      decision: z.enum(['approve', 'reject']),
      reason: requiredText('How you checked the name', 500),
    }),
  }),
  response: z.object({ user: User }),
  failures: [
    noSuch('user'),
    failure(409, 'NAME_OWN', 'Another administrator must review your own name'),
    failure(409, 'NAME_NOT_PENDING', 'This name is not waiting for a review'),
    ...LEDGER_QUERY_FAILURES,
  ],
})
