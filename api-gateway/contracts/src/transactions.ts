import { z } from 'zod'
import { csvEndpoint, endpoint } from './endpoint.ts'
import {
  ACCOUNT_HELD,
  decidedAlready,
  failure,
  LEDGER_ASKED,
  LEDGER_TOLD,
  noSuch,
  PICTURE,
  secondNeeded,
  tooLittle,
} from './failures.ts'
import { byId, Flag, Id, Instant, identity, idParams, optionalText } from './fields.ts'
import { exportQuery, listQuery, TransactionMeta } from './lists.ts'
import { MoneyIn, MoneyOut } from './money.ts'
import { PayOption } from './payment-options.ts'
import { Person, WalletName } from './users.ts'

export const TransactionType = z.enum(['deposit', 'withdrawal', 'transfer'])
export type TransactionType = z.infer<typeof TransactionType>
export const TransactionStatus = z.enum(['pending', 'success', 'declined'])
export type TransactionStatus = z.infer<typeof TransactionStatus>

export const Transaction = z.object({
  ...identity,
  type: TransactionType,
  status: TransactionStatus,
  /** Deposit: what the receipt shows. Withdrawal: what leaves the wallet. */
  amount: MoneyOut,
  /** What was asked for, where another amount was approved. */
  requestedAmount: MoneyOut,
  fee: MoneyOut,
  /** Credited, or paid out, after the fee. */
  net: MoneyOut,
  /** True when the investor's wallet grows by it. */
  isCredit: z.boolean(),
  /** Why a transfer was made. */
  purpose: z.enum([
    'deposit',
    'withdrawal',
    'funding',
    'reserve',
    'purchase',
    'principal-return',
    'referral-bonus',
    'bonus-return',
  ]),
  reference: z.string(),
  createdAt: Instant,
  decidedAt: Instant.nullable(),
  /** A deposit's payment option, a withdrawal's source, a transfer's wallet. */
  method: z.string(),
  /** True when two payment options fit and the depositor named none. */
  isMethodAmbiguous: z.boolean(),
  /** True while the second of two approvals is missing. */
  isApprovedOnce: z.boolean(),
  /** The path of the receipt on this origin. */
  receipt: z.string().nullable(),
  declineReason: z.string().nullable(),
  payoutReference: z.string().nullable(),
  investmentId: Id.nullable(),
  /** Admin lists only: where a withdrawal is paid to. */
  bankAccount: z
    .object({
      bankName: z.string(),
      accountName: z.string(),
      accountNumber: z.string(),
      accountType: z.string(),
    })
    .optional(),
  /** Admin lists only; missing for a movement of the operator. */
  user: Person.optional(),
})
export type Transaction = z.infer<typeof Transaction>

const query = z.strictObject({
  ...listQuery,
  type: TransactionType.optional(),
  status: TransactionStatus.optional(),
})
/** Administrators may ask for one person's. */
const adminQuery = query.extend({ user: Id.optional() })
const reversal = {
  reason: optionalText('Reason', 500),
  /** Says that an earlier decision is known and to be turned round; needs a reason. */
  reverse: Flag.default(false),
}
const page = z.object({ transactions: z.array(Transaction), meta: TransactionMeta })
const one = z.object({ transaction: Transaction })

export const listTransactions = endpoint({
  method: 'GET',
  path: '/transactions',
  access: 'admin',
  request: z.strictObject({ query: adminQuery }),
  response: page,
  failures: [failure(422, 'SEARCH_TOO_WIDE', 'Narrow your search'), ...LEDGER_ASKED],
})

/** The latest five: one's own, or of everybody for an admin. */
export const listRecentTransactions = endpoint({
  method: 'GET',
  path: '/transactions/recent',
  access: 'session',
  response: z.object({ transactions: z.array(Transaction) }),
  failures: [...LEDGER_ASKED],
})

export const approveTransaction = endpoint({
  method: 'PATCH',
  path: '/transactions/:id/action/approve',
  access: 'admin',
  request: z.strictObject({
    params: idParams,
    body: z.strictObject({
      payoutReference: optionalText('Payout reference', 120),
      /** What really arrived of a deposit. */
      approvedAmount: MoneyIn.optional(),
      /** The payment option whose cash receives or pays; else the deposit's own, or the first bank. */
      payoutOption: Id.optional(),
      ...reversal,
    }),
  }),
  response: one,
  failures: [
    noSuch('transaction'),
    noSuch('payment option'),
    decidedAlready('This transaction was already {decision} by {person} on {time}'),
    secondNeeded('Another administrator has to approve this too'),
    failure(409, 'NOT_REVERSIBLE', 'Its owner took it back; a new request is needed'),
    failure(409, 'INVESTOR_UNKNOWN', 'Its owner has closed the account'),
    failure(409, 'INSUFFICIENT_FUNDS', 'The amount is above what is available'),
    failure(422, 'UNSUPPORTED', 'A transfer cannot be decided'),
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
    decidedAlready('This transaction was already {decision} by {person} on {time}'),
    failure(409, 'INVESTOR_UNKNOWN', 'Its owner has closed the account'),
    failure(409, 'INSUFFICIENT_FUNDS', 'The money of this deposit is no longer in the wallet'),
    failure(409, 'INSUFFICIENT_FUNDS', 'Its fee is no longer among the fees'),
    failure(422, 'UNSUPPORTED', 'A transfer cannot be decided'),
    ...LEDGER_TOLD,
  ],
})

/** For the owner and for admins. */
export const getReceipt = endpoint({
  method: 'GET',
  path: '/transactions/:id/receipt',
  access: 'session',
  request: byId,
  answers: 'file',
  response: z.null(),
  failures: [noSuch('transaction'), noSuch('receipt'), ...LEDGER_ASKED],
})

export const listMyTransactions = endpoint({
  method: 'GET',
  path: '/users/me/transactions',
  access: 'user',
  request: z.strictObject({ query }),
  response: page,
  failures: [...LEDGER_ASKED],
})

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

/** One step in the life of a transaction, from the log. */
export const TransactionStep = z.object({
  kind: z.enum(['requested', 'approved-once', 'approved', 'declined', 'cancelled', 'reversed']),
  at: Instant,
  /** Named for administrators only; for its owner `you` or `the platform`. */
  by: z.string(),
  seq: z.string(),
})

/** What a reviewer should look at twice. */
export const RiskFlag = z.enum([
  'first-withdrawal',
  'new-bank-account',
  'receipt-used-before',
  'method-ambiguous',
  'name-differs',
])
export type RiskFlag = z.infer<typeof RiskFlag>

/** For its owner and for administrators. */
export const getTransactionDetail = endpoint({
  method: 'GET',
  path: '/transactions/:id',
  access: 'session',
  request: byId,
  response: z.object({
    transaction: Transaction,
    timeline: z.array(TransactionStep),
    /** Administrators only. */
    flags: z.array(RiskFlag).optional(),
    /** Other transactions that were asked for with the very same picture; administrators only. */
    sameReceipt: z.array(Transaction).optional(),
  }),
  failures: [noSuch('transaction'), ...LEDGER_ASKED],
})

/** The receipt of the newest event of the transaction: verifies without us. */
export const getTransactionProof = endpoint({
  method: 'GET',
  path: '/transactions/:id/proof',
  access: 'session',
  request: byId,
  response: z.object({
    seq: z.string(),
    /** A `tlog-proof` file (c2sp.org/tlog-proof@v1). */
    receipt: z.string(),
    verifierKeys: z.array(z.string()),
  }),
  failures: [noSuch('transaction'), ...LEDGER_ASKED],
})

const csvQuery = z.strictObject({
  ...exportQuery,
  type: TransactionType.optional(),
  status: TransactionStatus.optional(),
})

export const exportTransactions = csvEndpoint({
  path: '/transactions.csv',
  access: 'admin',
  request: z.strictObject({ query: csvQuery.extend({ user: Id.optional() }) }),
  failures: [failure(422, 'SEARCH_TOO_WIDE', 'Narrow your search'), ...LEDGER_ASKED],
})

export const exportMyTransactions = csvEndpoint({
  path: '/users/me/transactions.csv',
  access: 'user',
  request: z.strictObject({ query: csvQuery }),
  failures: [...LEDGER_ASKED],
})
