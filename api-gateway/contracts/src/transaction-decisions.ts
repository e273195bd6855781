import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import {
  alreadyDecided,
  failure,
  insufficientFunds,
  LEDGER_COMMAND_FAILURES,
  noSuch,
  secondApproverNeeded,
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

const decided = alreadyDecided('This transaction was already {decision} by {person} on {time}')
const ownerClosed = failure(409, 'INVESTOR_UNKNOWN', 'Its owner has closed the account')
const notDecidable = failure(422, 'UNSUPPORTED', 'A transfer cannot be decided')
/** Failure of a reversal. */
const reversalNotCovered = (message: string) => failure(409, 'INSUFFICIENT_FUNDS', message)

const otherHasToReverse = secondApproverNeeded('Another administrator has to reverse this decision')

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
    secondApproverNeeded('Another administrator has to approve this too'),
    otherHasToReverse,
    failure(
      409,
      'APPROVAL_DIFFERS',
      'The first approval was of {amount}. Approve exactly that amount, or decline the request.',
    ),
    failure(409, 'NOT_REVERSIBLE', 'Its owner cancelled it; a new request is needed'),
    ownerClosed,
    reversalNotCovered('The amount is above what is available'),
    insufficientFunds('The reserve does not hold that much'),
    insufficientFunds('There is not that much in {account}'),
    notDecidable,
    ...LEDGER_COMMAND_FAILURES,
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
    secondApproverNeeded('Another administrator has to approve this too'),
    otherHasToReverse,
    ownerClosed,
    reversalNotCovered('The money of this deposit is no longer in the wallet'),
    reversalNotCovered('Its fee is no longer among the fees'),
    notDecidable,
    ...LEDGER_COMMAND_FAILURES,
  ],
})
