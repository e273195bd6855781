import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import {
  decidedAlready,
  failure,
  LEDGER_TOLD,
  noSuch,
  secondNeeded,
  tooLittle,
} from './failures.ts'
import { Flag, Id, idParams, optionalText } from './fields.ts'
import { MoneyIn } from './money.ts'
import { Transaction } from './transactions.ts'

const reversal = {
  reason: optionalText('Reason', 500),
  /** Confirms that the call reverses an earlier decision; a reason is required. */
  reverse: Flag.default(false),
}
const one = z.object({ transaction: Transaction })

const decided = decidedAlready('This transaction was already {decision} by {person} on {time}')
const closed = failure(409, 'INVESTOR_UNKNOWN', 'Its owner has closed the account')
const notDecidable = failure(422, 'UNSUPPORTED', 'A transfer cannot be decided')
/** Failure of a reversal. */
const spent = (message: string) => failure(409, 'INSUFFICIENT_FUNDS', message)

const otherHasToReverse = secondNeeded('Another administrator has to reverse this decision')

/**
 * From the approval threshold on, the first approval is recorded and the answer is the pending
 * transaction; the approval of the same amount by another administrator decides. A reversal also
 * needs two administrators.
 */
export const approveTransaction = endpoint({
  method: 'PATCH',
  path: '/transactions/:id/action/approve',
  access: 'admin',
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
    secondNeeded('Another administrator has to approve this too'),
    otherHasToReverse,
    failure(
      409,
      'APPROVAL_DIFFERS',
      'The first approval was of {amount}. Approve exactly that amount, or decline the request.',
    ),
    failure(409, 'NOT_REVERSIBLE', 'Its owner took it back; a new request is needed'),
    closed,
    spent('The amount is above what is available'),
    tooLittle('The reserve does not hold that much'),
    tooLittle('There is not that much in {account}'),
    notDecidable,
    ...LEDGER_TOLD,
  ],
})

export const declineTransaction = endpoint({
  method: 'PATCH',
  path: '/transactions/:id/action/decline',
  access: 'admin',
  request: z.strictObject({
    params: idParams,
    body: z.strictObject(reversal),
  }),
  response: one,
  failures: [
    noSuch('transaction'),
    decided,
    secondNeeded('Another administrator has to approve this too'),
    otherHasToReverse,
    closed,
    spent('The money of this deposit is no longer in the wallet'),
    spent('Its fee is no longer among the fees'),
    notDecidable,
    ...LEDGER_TOLD,
  ],
})
