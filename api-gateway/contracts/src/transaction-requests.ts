import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import {
  ACCOUNT_HELD,
  decidedAlready,
  failure,
  LEDGER_TOLD,
  noSuch,
  PICTURE,
  tooLittle,
} from './failures.ts'
import { byId, Id } from './fields.ts'
import { MoneyIn } from './money.ts'
import { PayOption } from './payment-options.ts'
import { Transaction } from './transactions.ts'
import { WalletName } from './users.ts'

const one = z.object({ transaction: Transaction })

export const DepositForm = z.strictObject({
  type: z.literal('deposit'),
  amount: MoneyIn,
  pay_option: PayOption,
  payment_option_id: Id.optional(),
})

export const WithdrawalForm = z.strictObject({
  type: z.literal('withdrawal'),
  amount: MoneyIn,
  pay_option: WalletName,
  bank_id: z.string('Choose a bank account').pipe(Id),
})

/** A deposit needs its receipt as the file `receipt`. */
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
    failure(
      403,
      'CREDENTIAL_HOLD',
      'Withdrawals are paused until {time} because your password, e-mail or second factor was changed.',
    ),
    ACCOUNT_HELD,
    noSuch('bank account'),
    PICTURE,
    failure(422, 'AMOUNT_BELOW_MINIMUM', 'Minimum deposit is {amount}'),
    failure(422, 'AMOUNT_BELOW_MINIMUM', 'Minimum withdrawal is {amount}'),
    tooLittle('Insufficient balance. You can withdraw up to {amount}.'),
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
    failure(
      422,
      'TOO_MANY_PENDING',
      '{count} requests wait for a decision already. Wait for one of them, or take one back.',
    ),
    failure(
      422,
      'BANK_ACCOUNT_NOT_USABLE',
      'Confirm this bank account with the code that was mailed to you',
    ),
    failure(422, 'BANK_ACCOUNT_NOT_USABLE', 'This bank account is new and can be used from {time}'),
    ...LEDGER_TOLD,
  ],
})

export const cancelMyTransaction = endpoint({
  method: 'POST',
  path: '/users/me/transactions/:id/cancel',
  access: 'user',
  request: byId,
  response: one,
  failures: [
    noSuch('transaction'),
    decidedAlready('This {type} was already {decision}'),
    ...LEDGER_TOLD,
  ],
})
