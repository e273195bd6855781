import { z } from 'zod'
import { APPROVER_FAILURE, CREATION_FAILURES } from './change-failures.ts'
import { declareEndpoint } from './endpoint.ts'
import { LEDGER_COMMAND_FAILURES } from './failures.ts'
import { createRequiredTextField } from './fields.ts'

/**
 * For seven days, permits the server command that imports opening balances from the file with this
 * SHA-256. Answers 409 `CHANGE_REQUESTED` if the ledger requires the approval of a second
 * administrator.
 */
export const permitImport = declareEndpoint({
  method: 'POST',
  path: '/admin/ledger/imports',
  permission: 'ledger.permitImport',
  request: z.strictObject({
    body: z.strictObject({
      sha256: z
        .string()
        .trim()
        .toLowerCase()
        .regex(/^[0-9a-f]{64}$/, 'Enter the 64 characters of the SHA-256'),
      reason: createRequiredTextField('Reason', 500),
    }),
  }),
  isIdempotent: true,
  status: 201,
  response: z.object({ sha256: z.string() }),
  failures: [...CREATION_FAILURES, APPROVER_FAILURE, ...LEDGER_COMMAND_FAILURES],
})
