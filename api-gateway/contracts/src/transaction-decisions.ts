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
  /** True to reverse an earlier decision. A reason is then required. */
  reverse: Flag.default(false),
}
const one = z.object({ transaction: Transaction })

const decided = alreadyDecided('This transaction was already {decision} by {person} on {time}')
const ownerClosed = refusal('ownerClosed', 409)
const notDecidable = failure(422, 'UNSUPPORTED', 'A transfer cannot be decided')
/**
 * Failures of the approval of a change request. The approval of a transaction can be the second
 * approval of such a request and then fails in the same ways.
 */
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
 * Approves a transaction. From the approval threshold on, two administrators must approve the same
 * amount; the first approval leaves the transaction pending. A reversal also needs two
 * administrators.
 */
export const approveTransaction = endpoint({
  method: 'PATCH',
  path: '/transactions/:id/action/approve',
  permission: 'transactions.decide',
  request: z.strictObject({
    params: idParams,
    body: z.strictObject({
      payoutReference: optionalText('Payout reference', 120),
      /** The amount that arrived, for a deposit. */
      approvedAmount: MoneyIn.optional(),
      /**
       * The payment option whose cash account is debited or credited. The default is the option of
       * the deposit, otherwise the first bank.
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
      'The first approval was for {amount}. Approve exactly that amount, or decline the request.',
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
