import { z } from 'zod'
import { declareEndpoint } from './endpoint.ts'
import { declareFailure, declareNotFound, LEDGER_QUERY_FAILURES } from './failures.ts'
import { byId, createRequiredTextField } from './fields.ts'
import { User } from './users.ts'

/**
 * Decides on the new name of an approved user. The request must repeat the name that the page
 * displayed. If the name has changed since then, the request is refused. A mail informs the user.
 */
export const reviewName = declareEndpoint({
  method: 'PATCH',
  path: '/users/:id/name',
  permission: 'users.status',
  request: byId.extend({
    body: z.strictObject({
      name: createRequiredTextField('Name', 120),
      decision: z.enum(['approve', 'reject']),
      reason: createRequiredTextField('How you checked the name', 500),
    }),
  }),
  response: z.object({ user: User }),
  failures: [
    declareNotFound('user'),
    declareFailure(409, 'NAME_OWN', 'Another administrator must review your own name'),
    declareFailure(409, 'NAME_NOT_PENDING', 'This name is not waiting for a review'),
    ...LEDGER_QUERY_FAILURES,
  ],
})
