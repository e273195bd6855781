import { z } from 'zod'
import { declareEndpoint, NoContent } from './endpoint.ts'
import {
  declareFailure,
  declareNotFound,
  FRESH_PROOF_FAILURES,
  LEDGER_QUERY_FAILURES,
  LOGIN_REFUSALS,
  STEP_UP_REQUIRED,
} from './failures.ts'
import { byId, createRequiredTextField, Flag, Instant, identity } from './fields.ts'
import { Assertion, CreationOptions, NewCredential, RequestOptions } from './passkey-credentials.ts'
import { CurrentPassword } from './passwords.ts'
import { OwnPermissions, User } from './users.ts'

export const PASSKEYS_MAX = 10
/** Lifetime of a challenge, in minutes. */
export const PASSKEY_MINUTES = 5
export const PASSKEY_NAME_MAX = 60

export const Passkey = z.object({
  ...identity,
  name: z.string(),
  /** True if the passkey can be copied to other devices of its owner. */
  isSynced: z.boolean(),
  createdAt: Instant,
  lastUsedAt: Instant.nullable(),
})
export type Passkey = z.infer<typeof Passkey>

const PasskeyName = createRequiredTextField('Name', PASSKEY_NAME_MAX)

const IMPOSSIBLE = declareFailure(
  409,
  'PASSKEYS_IMPOSSIBLE',
  'Passkeys need a domain name, but the address of this site is an IP address',
)
/** The failure if the challenge is unknown, used or older than five minutes. */
const EXPIRED = declareFailure(400, 'PASSKEY_EXPIRED', 'That took too long. Please try again.')
const REFUSED = declareFailure(400, 'PASSKEY_REFUSED', 'This passkey was not accepted')
const ANSWER_FAILURES = [EXPIRED, REFUSED] as const

/**
 * Creates the challenge of a login without an email address. A cookie binds the challenge to this
 * browser.
 */
export const beginPasskeyLogin = declareEndpoint({
  method: 'POST',
  path: '/users/login/passkey/options',
  access: 'anyone',
  response: z.object({ options: RequestOptions }),
  failures: [IMPOSSIBLE],
})

/** Logs a user in with a passkey. The passkey counts as password, second factor and step-up. */
export const loginPasskey = declareEndpoint({
  method: 'POST',
  path: '/users/login/passkey',
  access: 'anyone',
  request: z.strictObject({
    body: z.strictObject({ credential: Assertion, remember: Flag.optional() }),
  }),
  response: z.object({ user: User, permissions: OwnPermissions }),
  failures: [...ANSWER_FAILURES, ...LOGIN_REFUSALS, ...LEDGER_QUERY_FAILURES],
})

export const listMyPasskeys = declareEndpoint({
  method: 'GET',
  path: '/users/me/passkeys',
  access: 'arriving',
  response: z.object({ passkeys: z.array(Passkey) }),
})

/**
 * Creates the challenge for a new passkey. The password is required (403 `PASSWORD_NEEDED`). If the
 * user has a second factor, a recent step-up is required instead (403 `STEP_UP_REQUIRED`).
 */
export const beginPasskey = declareEndpoint({
  method: 'POST',
  path: '/users/me/passkeys/options',
  access: 'arriving',
  request: z.strictObject({ body: z.strictObject({ password: CurrentPassword.optional() }) }),
  response: z.object({ options: CreationOptions }),
  failures: [
    ...FRESH_PROOF_FAILURES,
    IMPOSSIBLE,
    declareFailure(409, 'PASSKEY_LIMIT', 'You have too many passkeys. Remove one first.'),
  ],
})

/**
 * Adds a passkey, ends the other sessions, pauses withdrawals and informs the user by mail. If the
 * passkey is the first second factor, the answer contains recovery codes, which are shown only
 * once.
 */
export const addPasskey = declareEndpoint({
  method: 'POST',
  path: '/users/me/passkeys',
  access: 'arriving',
  request: z.strictObject({
    body: z.strictObject({ name: PasskeyName, credential: NewCredential }),
  }),
  status: 201,
  response: z.object({ passkey: Passkey, recoveryCodes: z.array(z.string()).nullable() }),
  failures: [...ANSWER_FAILURES],
})

export const renamePasskey = declareEndpoint({
  method: 'PATCH',
  path: '/users/me/passkeys/:id',
  access: 'session',
  request: byId.extend({ body: z.strictObject({ name: PasskeyName }) }),
  response: z.object({ passkey: Passkey }),
  failures: [declareNotFound('passkey')],
})

/** Removes a passkey, ends the other sessions, pauses withdrawals and informs the user by mail. */
export const removePasskey = declareEndpoint({
  method: 'DELETE',
  path: '/users/me/passkeys/:id',
  access: 'session',
  request: byId,
  status: 204,
  response: NoContent,
  failures: [
    STEP_UP_REQUIRED,
    declareNotFound('passkey'),
    declareFailure(
      409,
      'PASSKEY_NEEDED',
      'This site requires a passkey for administrators: add another passkey before you remove this passkey',
    ),
  ],
})

/** Creates the challenge of a step-up, which one of the caller's passkeys must sign. */
export const beginPasskeyStepUp = declareEndpoint({
  method: 'POST',
  path: '/users/me/passkeys/step_up/options',
  access: 'arriving',
  response: z.object({ options: RequestOptions }),
  failures: [IMPOSSIBLE, declareFailure(409, 'NO_PASSKEY', 'You have no passkey')],
})

/** Repeats the second factor (step-up) with a passkey instead of a code. */
export const stepUpWithPasskey = declareEndpoint({
  method: 'POST',
  path: '/users/me/passkeys/step_up',
  access: 'arriving',
  request: z.strictObject({ body: z.strictObject({ credential: Assertion }) }),
  status: 204,
  response: NoContent,
  failures: [...ANSWER_FAILURES],
})
