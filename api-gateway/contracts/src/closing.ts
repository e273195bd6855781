import { z } from 'zod'
import { endpoint, NoContent } from './endpoint.ts'
import {
  failure,
  LEDGER_ASKED,
  LEDGER_TOLD,
  noSuch,
  PASSWORD_TRIES,
  statusConflict,
} from './failures.ts'
import { byId } from './fields.ts'
import { CurrentPassword } from './passwords.ts'

/** Everything that is kept about the investor who asks, as one JSON file that is written while it is read. */
export const downloadMyData = endpoint({
  method: 'GET',
  path: '/users/me/data.json',
  access: 'user',
  response: z.null(),
  answers: 'file',
  failures: [...LEDGER_ASKED],
})

/**
 * Ends one's own account for good. The ledger decides first, and refuses while anything is left. What is
 * personal is erased, every session ends, and a last mail says so; what is in the books stays, as
 * 'Deleted user'. Whoever has a second factor shows it lately (403 `STEP_UP_REQUIRED`).
 */
export const closeMyAccount = endpoint({
  method: 'POST',
  path: '/users/me/close',
  access: 'session',
  request: z.strictObject({ body: z.strictObject({ password: CurrentPassword }) }),
  status: 204,
  response: NoContent,
  failures: [
    statusConflict('An administrator’s account is deleted by another administrator'),
    failure(
      409,
      'INVESTOR_NOT_EMPTY',
      'Your account still has money, a pending request or a running investment. Withdraw what is left and let the rest end first.',
    ),
    ...PASSWORD_TRIES,
    ...LEDGER_TOLD,
  ],
})

/**
 * Ends the account: 409 `INVESTOR_NOT_EMPTY` while any money, request or investment is left,
 * `STATUS_CONFLICT` for oneself and the last active administrator. What is personal is erased; what is
 * in the books stays, as 'Deleted user'.
 */
export const deleteUser = endpoint({
  method: 'DELETE',
  path: '/users/:id',
  access: 'admin',
  request: byId,
  status: 204,
  response: NoContent,
  failures: [
    noSuch('user'),
    statusConflict('You cannot delete yourself'),
    statusConflict('This is the last active administrator, or you are none any more'),
    statusConflict('At least two approvers must stay active'),
    failure(
      409,
      'INVESTOR_NOT_EMPTY',
      'The account still has money, a pending request or a running investment',
    ),
    ...LEDGER_TOLD,
  ],
})
