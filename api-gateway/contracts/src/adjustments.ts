import { z } from 'zod'
import { BENEFICIARY_FAILURE, SECOND_PERSON_FAILURES } from './change-failures.ts'
import { declareCsvEndpoint, declareEndpoint } from './endpoint.ts'
import { declareNotFound, LEDGER_COMMAND_FAILURES, LEDGER_QUERY_FAILURES } from './failures.ts'
import { createRequiredTextField, Id, Instant, identity } from './fields.ts'
import { MoneyIn, MoneyOut } from './money.ts'
import { declareRefusal } from './refusal-failures.ts'
import { Person, WalletName } from './users.ts'

/** A correction of an investor's wallet, with a reason. */
export const Adjustment = z.object({
  ...identity,
  reference: z.string(),
  user: Person.optional(),
  wallet_type: WalletName,
  amount: MoneyOut,
  /** True if the correction is a credit to the wallet, false if it is a debit. */
  isCredit: z.boolean(),
  status: z.enum(['proposed', 'applied', 'rejected']),
  reason: z.string().nullable(),
  proposedBy: Person.optional(),
  createdAt: Instant,
  decidedAt: Instant.nullable(),
})
export type Adjustment = z.infer<typeof Adjustment>

const one = z.object({ adjustment: Adjustment })

/**
 * Lists at most 200 adjustments: first the pending adjustments, then the decided adjustments. Each
 * part is sorted newest first.
 */
export const listAdjustments = declareEndpoint({
  method: 'GET',
  path: '/admin/adjustments',
  permission: 'adjustments.read',
  response: z.object({ adjustments: z.array(Adjustment) }),
  failures: [...LEDGER_QUERY_FAILURES],
})

export const AdjustmentForm = z.strictObject({
  user: Id,
  wallet_type: WalletName,
  amount: MoneyIn,
  direction: z.enum(['credit', 'debit'], 'Choose credit or debit'),
  reason: createRequiredTextField('Reason', 500),
})

/**
 * Proposes a correction of an investor's wallet. Answers 409 `CHANGE_REQUESTED` if the ledger
 * requires the approval of a second administrator.
 */
export const proposeAdjustment = declareEndpoint({
  method: 'POST',
  path: '/admin/adjustments',
  permission: 'adjustments.propose',
  request: z.strictObject({ body: AdjustmentForm }),
  isIdempotent: true,
  status: 201,
  response: one,
  failures: [
    declareNotFound('user'),
    declareRefusal('accountUnknown', 409),
    declareRefusal('aboveWallet'),
    ...SECOND_PERSON_FAILURES,
    BENEFICIARY_FAILURE,
    ...LEDGER_COMMAND_FAILURES,
  ],
})

export const exportAdjustments = declareCsvEndpoint({
  path: '/admin/adjustments.csv',
  permission: 'adjustments.read',
  failures: [...LEDGER_QUERY_FAILURES],
})
