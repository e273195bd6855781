import { z } from 'zod'
import { SECOND_PERSON_FAILURES } from './change-failures.ts'
import { declareEndpoint } from './endpoint.ts'
import { declareFailure, LEDGER_COMMAND_FAILURES, LEDGER_QUERY_FAILURES } from './failures.ts'
import { createRequiredTextField, Instant } from './fields.ts'

/** The key that signs the checkpoints of the ledger. */
export const SigningKey = z.object({
  /**
   * The key as `<log>+<key id>+<public key>` (C2SP signed-note); null before the first checkpoint.
   */
  verifierKey: z.string().nullable(),
  /**
   * The time until which the permission to replace the key is valid; null if there is no valid
   * permission.
   */
  permittedUntil: Instant.nullable(),
})
export type SigningKey = z.infer<typeof SigningKey>

const one = z.object({ signingKey: SigningKey })

export const getSigningKey = declareEndpoint({
  method: 'GET',
  path: '/admin/ledger/signing-key',
  permission: 'ledger.read',
  response: one,
  failures: [...LEDGER_QUERY_FAILURES],
})

/**
 * For seven days, permits the server command `rotate-signing-key`. Answers 409 `CHANGE_REQUESTED`
 * if the ledger requires the approval of a second administrator.
 */
export const permitKeyRotation = declareEndpoint({
  method: 'POST',
  path: '/admin/ledger/signing-key/rotation',
  permission: 'ledger.permitKey',
  request: z.strictObject({
    body: z.strictObject({ reason: createRequiredTextField('Reason', 500) }),
  }),
  isIdempotent: true,
  status: 201,
  response: one,
  failures: [
    declareFailure(
      409,
      'NOTHING_SIGNED',
      'No checkpoint is signed yet, so there is no key to replace',
    ),
    ...SECOND_PERSON_FAILURES,
    ...LEDGER_COMMAND_FAILURES,
  ],
})
