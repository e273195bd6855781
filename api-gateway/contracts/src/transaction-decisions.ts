import { z } from 'zod'
import {
  BENEFICIARY_FAILURE,
  OTHER_MUST_APPROVE,
  SECOND_PERSON_FAILURES,
} from './change-failures.ts'
import { changeRefusals } from './change-requests.ts'
import { endpoint } from './endpoint.ts'
import { alreadyDecided, failure, LEDGER_COMMAND_FAILURES, noSuch } from './failures.ts'
import { Flag, Id, idParams, optionalText } from './fields.ts'
import { MoneyIn } from './money.ts'
import { refusal } from './refusal-failures.ts'
import { Transaction } from './transactions.ts'

const reversal = {
  reason: optionalText('Reason', 500),
  /** Confirms that the call reverses an earlier decision; a reason is required. */
  reverse: Flag.default(false),
}
const one = z.object({ transaction: Transaction })

const decided = alreadyDecided('This transaction was already {decision} by {person} on {time}')
const ownerClosed = refusal('ownerClosed', 409)
const notDecidable = failure(422, 'UNSUPPORTED', 'A transfer cannot be decided')
/** A second approval has the failures of an approved change request. */
const APPROVAL_FAILURES = [
  ...SECOND_PERSON_FAILURES,
  BENEFICIARY_FAILURE,
  changeRefusals.beneficiary,
  changeRefusals.expired,
  changeRefusals.tooNew,
  changeRefusals.makerTooNew,
  failure(409, 'CHANGE_FAILED', '{reason}'),
]

/**
 * From the approval threshold on, the first approval is recorded and the answer is the pending
 * transaction; the approval of the same amount by another administrator decides. A reversal also
 * needs two administrators.
 */
export const approveTransaction = endpoint({
  method: 'PATCH',
  path: '/transactions/:id/action/approve',
  permission: 'transactions.decide',
  request: z.strictObject({
    params: idParams,
    body: z.strictObject({
      payoutReference: optionalText('Payout reference', 120),
      /** The amount of a deposit that arrived. */
      approvedAmount: MoneyIn.optional(),
      /**
       * The payment option whose cash account is debited or credited. Default: the option of the
       * deposit, or the first bank.
       */
      payoutOption: Id.optional(),
      ...reversal,
    }),
  }),
  response: one,
  failures: [
    noSuch('transaction'),
    noSuch('payment option'),
    decided,
    OTHER_MUST_APPROVE,
    ...APPROVAL_FAILURES,
    failure(
      409,
      'APPROVAL_DIFFERS',
      'The first approval was of {amount}. Approve exactly that amount, or decline the request.',
    ),
    refusal('cancelledByOwner'),
    ownerClosed,
    refusal('aboveAvailable', 409),
    refusal('bankAccountChanged'),
    ...LEDGER_COMMAND_FAILURES,
  ],
})

export const declineTransaction = endpoint({
  method: 'PATCH',
  path: '/transactions/:id/action/decline',
  permission: 'transactions.decide',
  request: z.strictObject({
    params: idParams,
    body: z.strictObject(reversal),
  }),
  response: one,
  failures: [
    noSuch('transaction'),
    decided,
    ...SECOND_PERSON_FAILURES,
    BENEFICIARY_FAILURE,
    ownerClosed,
    refusal('depositSpent', 409),
    refusal('feeSpent', 409),
    notDecidable,
    ...LEDGER_COMMAND_FAILURES,
  ],
})
