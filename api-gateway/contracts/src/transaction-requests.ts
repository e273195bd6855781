import { z } from 'zod'
import { declareEndpoint } from './endpoint.ts'
import {
  declareFailure,
  declareInsufficientFunds,
  declareNotFound,
  IMAGE_FAILURES,
  INVESTOR_NOT_ACTIVE,
  LEDGER_COMMAND_FAILURES,
  MONEY_REQUESTS_USED,
  STEP_UP_REQUIRED,
} from './failures.ts'
import { byId, createRequiredTextField, Id, idParams } from './fields.ts'
import { MoneyIn } from './money.ts'
import { PayOption } from './payment-options.ts'
import { declareRefusal } from './refusal-failures.ts'
import { Transaction } from './transactions.ts'
import { WalletName } from './users.ts'

const one = z.object({ transaction: Transaction })

const CREDENTIAL_HOLD = declareFailure(
  403,
  'CREDENTIAL_HOLD',
  'Withdrawals are paused until {time} because your password, email or second factor was changed.',
)
const BANK_NOT_USABLE = [
  declareFailure(
    422,
    'BANK_ACCOUNT_NOT_USABLE',
    'Confirm this bank account with the code that was mailed to you',
  ),
  declareFailure(
    422,
    'BANK_ACCOUNT_NOT_USABLE',
    'This bank account is new and can be used from {time}',
  ),
]

export const DepositForm = z.strictObject({
  type: z.literal('deposit'),
  amount: MoneyIn,
  pay_option: PayOption,
  payment_option_id: Id.optional(),
  /**
   * The payment reference that was issued for the payment. The transaction gets the same reference.
   */
  reference: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[0-9A-HJKMNP-TV-Z]{16}$/, 'A reference has sixteen letters and digits')
    .optional(),
  /** The transaction hash of a crypto payment. */
  tx_hash: z
    .string()
    .trim()
    .max(128, 'A transaction hash has at most 128 characters')
    .transform((value) => (value === '' ? undefined : value))
    .optional(),
})

/**
 * Returns the payment reference that the investor puts into a payment. Until a deposit uses this
 * reference, every call returns it again.
 */
export const issueDepositReference = declareEndpoint({
  method: 'POST',
  path: '/users/me/deposit_reference',
  access: 'investor',
  request: z.strictObject({ body: z.strictObject({ payment_option_id: Id }) }),
  response: z.object({ reference: z.string() }),
  failures: [declareNotFound('payment option')],
})

export const WithdrawalForm = z.strictObject({
  type: z.literal('withdrawal'),
  amount: MoneyIn,
  pay_option: WalletName,
  bank_id: z.string('Choose a bank account').pipe(Id),
})

/**
 * Requests a deposit or a withdrawal. A deposit requires its receipt in the file field `receipt`. A
 * withdrawal by a user with a second factor requires a recent step-up (403 `STEP_UP_REQUIRED`).
 */
export const createMyTransaction = declareEndpoint({
  method: 'POST',
  path: '/users/me/transactions',
  access: 'investor',
  request: z.strictObject({
    body: z.discriminatedUnion(
      'type',
      [DepositForm, WithdrawalForm],
      'type must be deposit or withdrawal',
    ),
  }),
  upload: { field: 'receipt' },
  isIdempotent: true,
  status: 201,
  response: one,
  failures: [
    STEP_UP_REQUIRED,
    CREDENTIAL_HOLD,
    INVESTOR_NOT_ACTIVE,
    declareNotFound('bank account'),
    ...IMAGE_FAILURES,
    declareFailure(
      422,
      'REFERENCE_UNKNOWN',
      'This reference was not issued to you for this payment method. Load the page again.',
    ),
    declareFailure(
      409,
      'REFERENCE_USED',
      'A deposit with this reference exists already. Load the page again for a new reference.',
    ),
    declareFailure(422, 'AMOUNT_BELOW_MINIMUM', 'Minimum deposit is {amount}'),
    declareFailure(422, 'AMOUNT_BELOW_MINIMUM', 'Minimum withdrawal is {amount}'),
    declareInsufficientFunds('Insufficient balance. You can withdraw up to {amount}.'),
    declareFailure(
      422,
      'WITHDRAWAL_LIMIT',
      'Withdrawals are limited to {amount} a day. Today you can still withdraw {amount}; the limit renews on {time} UTC.',
    ),
    declareFailure(
      422,
      'WITHDRAWAL_LIMIT',
      'Withdrawals are limited to {amount} a month. This month you can still withdraw {amount}; the limit renews on {time} UTC.',
    ),
    declareRefusal('tooManyPending'),
    ...BANK_NOT_USABLE,
    MONEY_REQUESTS_USED,
    ...LEDGER_COMMAND_FAILURES,
  ],
})

export const cancelMyTransaction = declareEndpoint({
  method: 'POST',
  path: '/users/me/transactions/:id/cancel',
  access: 'user',
  request: byId,
  response: one,
  failures: [
    declareNotFound('transaction'),
    declareRefusal('requestDecided'),
    ...LEDGER_COMMAND_FAILURES,
  ],
})

export const PayoutForm = z.strictObject({
  wallet_type: WalletName,
  amount: MoneyIn,
  bank_id: z.string('Choose a bank account').pipe(Id),
  /** The reason for the payout. The audit log stores it. */
  reason: createRequiredTextField('Reason', 500),
})

/**
 * Requests a payout for an investor whose account is not active, to a bank account that the
 * investor added. The payout is a withdrawal on hold: where dual control is required, two
 * administrators must approve it, whatever its amount. Minimum and limits of withdrawals do not
 * apply.
 */
export const payOutUser = declareEndpoint({
  method: 'POST',
  path: '/users/:id/payouts',
  permission: 'transactions.decide',
  request: z.strictObject({ params: idParams, body: PayoutForm }),
  isIdempotent: true,
  status: 201,
  response: one,
  failures: [
    declareNotFound('user'),
    declareNotFound('bank account'),
    declareRefusal('investorUnknown', 409),
    declareRefusal('payoutOfActive'),
    declareRefusal('investorNotActive', 409),
    CREDENTIAL_HOLD,
    declareInsufficientFunds('At most {amount} can be paid out of this wallet'),
    declareRefusal('tooManyPending'),
    ...BANK_NOT_USABLE,
    ...LEDGER_COMMAND_FAILURES,
  ],
})
