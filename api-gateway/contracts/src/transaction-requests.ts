import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import {
  failure,
  IMAGE_FAILURES,
  INVESTOR_NOT_ACTIVE,
  insufficientFunds,
  LEDGER_COMMAND_FAILURES,
  noSuch,
  STEP_UP_REQUIRED,
} from './failures.ts'
import { byId, Id, idParams, requiredText } from './fields.ts'
import { MoneyIn } from './money.ts'
import { PayOption } from './payment-options.ts'
import { refusal } from './refusal-failures.ts'
import { Transaction } from './transactions.ts'
import { WalletName } from './users.ts'

const one = z.object({ transaction: Transaction })

const CREDENTIAL_HOLD = failure(
  403,
  'CREDENTIAL_HOLD',
  'Withdrawals are paused until {time} because your password, e-mail or second factor was changed.',
)
const BANK_NOT_USABLE = [
  failure(
    422,
    'BANK_ACCOUNT_NOT_USABLE',
    'Confirm this bank account with the code that was mailed to you',
  ),
  failure(422, 'BANK_ACCOUNT_NOT_USABLE', 'This bank account is new and can be used from {time}'),
]

export const DepositForm = z.strictObject({
  type: z.literal('deposit'),
  amount: MoneyIn,
  pay_option: PayOption,
  payment_option_id: Id.optional(),
  /**
   * The payment reference that was issued for the transfer. It becomes the reference of the
   * transaction.
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
 * Returns the payment reference for a transfer. Calls return the same reference until a deposit
 * uses it.
 */
export const issueDepositReference = endpoint({
  method: 'POST',
  path: '/users/me/deposit_reference',
  access: 'investor',
  request: z.strictObject({ body: z.strictObject({ payment_option_id: Id }) }),
  response: z.object({ reference: z.string() }),
  failures: [noSuch('payment option')],
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
export const createMyTransaction = endpoint({
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
    noSuch('bank account'),
    ...IMAGE_FAILURES,
    failure(
      422,
      'REFERENCE_UNKNOWN',
      'This reference was not issued to you for this payment method. Load the page again.',
    ),
    failure(
      409,
      'REFERENCE_USED',
      'A deposit was made with this reference already. Load the page again for a new one.',
    ),
    failure(422, 'AMOUNT_BELOW_MINIMUM', 'Minimum deposit is {amount}'),
    failure(422, 'AMOUNT_BELOW_MINIMUM', 'Minimum withdrawal is {amount}'),
    insufficientFunds('Insufficient balance. You can withdraw up to {amount}.'),
    failure(
      422,
      'WITHDRAWAL_LIMIT',
      'Withdrawals are limited to {amount} a day. Today you can still withdraw {amount}; the limit renews on {time} UTC.',
    ),
    failure(
      422,
      'WITHDRAWAL_LIMIT',
      'Withdrawals are limited to {amount} a month. This month you can still withdraw {amount}; the limit renews on {time} UTC.',
    ),
    refusal('tooManyPending'),
    ...BANK_NOT_USABLE,
    ...LEDGER_COMMAND_FAILURES,
  ],
})

export const cancelMyTransaction = endpoint({
  method: 'POST',
  path: '/users/me/transactions/:id/cancel',
  access: 'user',
  request: byId,
  response: one,
  failures: [noSuch('transaction'), refusal('requestDecided'), ...LEDGER_COMMAND_FAILURES],
})

export const PayoutForm = z.strictObject({
  wallet_type: WalletName,
  amount: MoneyIn,
  bank_id: z.string('Choose a bank account').pipe(Id),
  /** Stored in the audit log. */
  reason: requiredText('Reason', 500),
})

/**
 * Requests a payout for an investor whose account is not active, to a bank account that the
 * investor added. It is a withdrawal on hold: where dual control is required, two administrators
 * must approve it, whatever its amount. Minimum and limits of withdrawals do not apply.
 */
export const payOutUser = endpoint({
  method: 'POST',
  path: '/users/:id/payouts',
  permission: 'transactions.decide',
  request: z.strictObject({ params: idParams, body: PayoutForm }),
  isIdempotent: true,
  status: 201,
  response: one,
  failures: [
    noSuch('user'),
    noSuch('bank account'),
    refusal('investorUnknown', 409),
    refusal('payoutOfActive'),
    refusal('investorNotActive', 409),
    CREDENTIAL_HOLD,
    insufficientFunds('At most {amount} can be paid out of this wallet'),
    refusal('tooManyPending'),
    ...BANK_NOT_USABLE,
    ...LEDGER_COMMAND_FAILURES,
  ],
})
