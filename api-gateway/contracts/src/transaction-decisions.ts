import { z } from 'zod'
import {
  BENEFICIARY_FAILURE,
  OTHER_MUST_APPROVE,
  SECOND_PERSON_FAILURES,
} from './change-failures.ts'
import { changeRefusals } from './change-requests.ts'
import { declareEndpoint } from './endpoint.ts'
import {
  declareAlreadyDecided,
  declareFailure,
  declareNotFound,
  LEDGER_COMMAND_FAILURES,
} from './failures.ts'
import { createOptionalTextField, Flag, Id, idParams } from './fields.ts'
import { MoneyIn } from './money.ts'
import { declareRefusal } from './refusal-failures.ts'
import { Transaction } from './transactions.ts'

const reversal = {
  reason: createOptionalTextField('Reason', 500),
  /** True if the request reverses an earlier decision. A reason is then required. */
  reverse: Flag.default(false),
}
const one = z.object({ transaction: Transaction })

const decided = declareAlreadyDecided(
  'This transaction was already {decision} by {person} on {time}',
)
const ownerClosed = declareRefusal('ownerClosed', 409)
const notDecidable = declareFailure(422, 'UNSUPPORTED', 'A transfer cannot be decided')
/**
 * The failures of an approval of a change request. The approval of a transaction declares them too,
 * because it can be the second approval of a change request.
 */
const APPROVAL_FAILURES = [
  ...SECOND_PERSON_FAILURES,
  BENEFICIARY_FAILURE,
  changeRefusals.notPending,
  changeRefusals.beneficiary,
  changeRefusals.expired,
  changeRefusals.tooNew,
  changeRefusals.makerTooNew,
  declareFailure(409, 'CHANGE_FAILED', '{reason}'),
]

/**
 * Approves a transaction. From the approval threshold on, two administrators must approve the same
 * amount; the first approval leaves the transaction pending. The second approval carries out the
 * first one: it may leave out the payout reference and the payment option, but must not name other
 * ones. While a threshold is set, an administrator cannot reverse their own decision alone.
 */
export const approveTransaction = declareEndpoint({
  method: 'PATCH',
  path: '/transactions/:id/action/approve',
  permission: 'transactions.decide',
  request: z.strictObject({
    params: idParams,
    body: z.strictObject({
      payoutReference: createOptionalTextField('Payout reference', 120),
      /**
       * The approved amount. For a deposit, this is the amount that arrived. The default is the
       * requested amount, also for a second approval.
       */
      approvedAmount: MoneyIn.optional(),
      /**
       * The payment option whose cash account the approval changes. The default for a deposit is
       * its payment option. The default for a withdrawal is the oldest visible payment option of
       * the method `Bank Transfer`. If there is no such option, the treasury is used.
       */
      payoutOption: Id.optional(),
      ...reversal,
    }),
  }),
  response: one,
  failures: [
    declareNotFound('transaction'),
    declareNotFound('payment option'),
    decided,
    OTHER_MUST_APPROVE,
    ...APPROVAL_FAILURES,
    declareFailure(
      409,
      'APPROVAL_DIFFERS',
      'The first approval was for {amount}. Approve exactly that amount, or decline the request.',
    ),
    declareFailure(
      409,
      'APPROVAL_DIFFERS',
      'The first approval has {details}. Leave this field out, or reject the first approval on the page Approvals.',
    ),
    declareRefusal('cancelledByOwner'),
    ownerClosed,
    declareRefusal('aboveAvailable', 409),
    declareRefusal('bankAccountChanged'),
    ...LEDGER_COMMAND_FAILURES,
  ],
})

export const declineTransaction = declareEndpoint({
  method: 'PATCH',
  path: '/transactions/:id/action/decline',
  permission: 'transactions.decide',
  request: z.strictObject({
    params: idParams,
    body: z.strictObject(reversal),
  }),
  response: one,
  failures: [
    declareNotFound('transaction'),
    decided,
    ...SECOND_PERSON_FAILURES,
    BENEFICIARY_FAILURE,
    ownerClosed,
    declareRefusal('depositSpent', 409),
    declareRefusal('feeSpent', 409),
    notDecidable,
    ...LEDGER_COMMAND_FAILURES,
  ],
})
