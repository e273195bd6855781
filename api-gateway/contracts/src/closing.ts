import { z } from 'zod'
import { BENEFICIARY_FAILURE, CHANGE_FAILURES, changeReasonBody } from './change-failures.ts'
import { declareEndpoint, NoContent } from './endpoint.ts'
import {
  declareFailure,
  declareNotFound,
  declareStatusConflict,
  LEDGER_COMMAND_FAILURES,
  LEDGER_QUERY_FAILURES,
  PASSWORD_FAILURES,
} from './failures.ts'
import { byId } from './fields.ts'
import { CurrentPassword } from './passwords.ts'
import { declareRefusal } from './refusal-failures.ts'

/** Returns all stored data of the calling investor, streamed as one JSON file. */
export const downloadMyData = declareEndpoint({
  method: 'GET',
  path: '/users/me/data.json',
  access: 'user',
  response: z.null(),
  answers: 'file',
  fileTypes: ['application/json'],
  failures: [...LEDGER_QUERY_FAILURES],
})

/**
 * Closes the caller's own account permanently and erases the personal data; ledger records remain
 * under 'Deleted user'. The ledger refuses the closing while money, requests or investments remain.
 * A user with a second factor needs a recent step-up (403 `STEP_UP_REQUIRED`).
 */
export const closeMyAccount = declareEndpoint({
  method: 'POST',
  path: '/users/me/close',
  access: 'session',
  request: z.strictObject({ body: z.strictObject({ password: CurrentPassword }) }),
  status: 204,
  response: NoContent,
  failures: [
    declareStatusConflict('An administrator’s account is deleted by another administrator'),
    declareFailure(
      409,
      'INVESTOR_NOT_EMPTY',
      'Your account still has money, a pending request or a running investment. Withdraw what is left and let the rest end first.',
    ),
    ...PASSWORD_FAILURES,
    ...LEDGER_COMMAND_FAILURES,
  ],
})

/**
 * Closes the account and erases its personal data; ledger records remain under 'Deleted user'.
 * Answers 409 `INVESTOR_NOT_EMPTY` while money, requests or investments remain. Answers 409
 * `STATUS_CONFLICT` for the caller's own account and for the last active administrator.
 */
export const deleteUser = declareEndpoint({
  method: 'DELETE',
  path: '/users/:id',
  permission: 'users.delete',
  request: byId.extend({ body: changeReasonBody }),
  status: 204,
  response: NoContent,
  failures: [
    declareNotFound('user'),
    declareStatusConflict('You cannot delete yourself'),
    declareStatusConflict(
      'This is the last active administrator, or you are no longer an active administrator',
    ),
    declareStatusConflict(
      'This is the last active owner. Make another administrator an owner first.',
    ),
    declareStatusConflict('At least two approvers must stay active'),
    ...CHANGE_FAILURES,
    BENEFICIARY_FAILURE,
    declareRefusal('investorNotEmpty'),
    ...LEDGER_COMMAND_FAILURES,
  ],
})
