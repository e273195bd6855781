import { z } from 'zod'
import { declareCsvEndpoint, declareEndpoint, IMAGE_TYPES } from './endpoint.ts'
import { declareFailure, declareNotFound, FILE_CHANGED, LEDGER_QUERY_FAILURES } from './failures.ts'
import { byId, Id, Instant, identity } from './fields.ts'
import { exportQuery, listQuery, TransactionMeta } from './lists.ts'
import { MoneyOut } from './money.ts'
import { PayOption } from './payment-options.ts'
import { RiskFlag } from './risk-flags.ts'
import { Person, WalletName } from './users.ts'

export const TransactionType = z.enum(['deposit', 'withdrawal', 'transfer'])
export type TransactionType = z.infer<typeof TransactionType>
export const TransactionStatus = z.enum(['pending', 'success', 'declined'])
export type TransactionStatus = z.infer<typeof TransactionStatus>

export const Transaction = z.object({
  ...identity,
  type: TransactionType,
  status: TransactionStatus,
  /**
   * For a deposit, the amount on the receipt. For a withdrawal, the amount that leaves the wallet.
   */
  amount: MoneyOut,
  /**
   * The amount that the investor requested. The field `amount` has the approved amount, which can
   * be larger or smaller.
   */
  requestedAmount: MoneyOut,
  fee: MoneyOut,
  /** The amount after the fee: credited for a deposit, paid out for a withdrawal. */
  net: MoneyOut,
  /** True if the transaction increases the investor's wallet. */
  isCredit: z.boolean(),
  /** The kind of money movement. */
  purpose: z.enum([
    'deposit',
    'withdrawal',
    'funding',
    'reserve',
    'adjustment',
    'purchase',
    'principal-return',
    'referral-bonus',
    'bonus-return',
  ]),
  reference: z.string(),
  createdAt: Instant,
  decidedAt: Instant.nullable(),
  /** The payment method of a deposit, or the wallet of a withdrawal or of a transfer. */
  method: z.string(),
  /**
   * True if two payment options match the payment method and the investor chose neither of them.
   */
  isMethodAmbiguous: z.boolean(),
  /**
   * True if one administrator has approved the pending request, also if the second one has but the
   * approval is not carried out yet. For a decided request, true if its reversal has one approval.
   */
  isApprovedOnce: z.boolean(),
  /** The path of the receipt on this origin. */
  receipt: z.string().nullable(),
  declineReason: z.string().nullable(),
  /** The id of the user who cancelled the request. The status is then `declined`. */
  cancelledBy: Id.nullable(),
  payoutReference: z.string().nullable(),
  /** True if an administrator requested the withdrawal, for an account that is not active. */
  isOperatorPayout: z.boolean(),
  /**
   * The reason why two administrators must approve the withdrawal; null if one administrator is
   * enough.
   */
  holdReason: z.string().nullable(),
  investmentId: Id.nullable(),
  /**
   * The balance of the changed wallet after the transaction; null until the transaction is decided.
   * Only in lists of the caller's own transactions.
   */
  balanceAfter: z.object({ wallet: WalletName, amount: MoneyOut }).nullable().optional(),
  /** The destination of a withdrawal. Missing in the list of the caller's own transactions. */
  bankAccount: z
    .object({
      bankName: z.string(),
      accountName: z.string(),
      accountNumber: z.string(),
      accountType: z.string(),
    })
    .optional(),
  /** The investor; missing for a movement of the operator. Only in lists for administrators. */
  user: Person.optional(),
  /** The facts to check before the decision. Only for pending requests in lists to review. */
  flags: z.array(RiskFlag).optional(),
})
export type Transaction = z.infer<typeof Transaction>

const query = z.strictObject({
  ...listQuery,
  type: TransactionType.optional(),
  status: TransactionStatus.optional(),
})
/** The query of the list for administrators, which has the additional filter `user`. */
const adminQuery = query.extend({ user: Id.optional() })
const page = z.object({ transactions: z.array(Transaction), meta: TransactionMeta })

export const listTransactions = declareEndpoint({
  method: 'GET',
  path: '/transactions',
  permission: 'transactions.read',
  request: z.strictObject({ query: adminQuery }),
  response: page,
  failures: [
    declareFailure(422, 'SEARCH_TOO_WIDE', 'Narrow your search'),
    ...LEDGER_QUERY_FAILURES,
  ],
})

/**
 * Lists the five latest transactions of the caller. For an administrator, lists the five latest
 * transactions of all users.
 */
export const listRecentTransactions = declareEndpoint({
  method: 'GET',
  path: '/transactions/recent',
  access: 'session',
  permission: 'transactions.read',
  response: z.object({ transactions: z.array(Transaction) }),
  failures: [...LEDGER_QUERY_FAILURES],
})

/** Statistics of the time between request and decision. */
export const ReviewTime = z.object({
  count: z.int(),
  medianMs: z.int(),
  p90Ms: z.int(),
})
export type ReviewTime = z.infer<typeof ReviewTime>

/**
 * Returns the review times of the last 30 days, cached for a minute. `deposit` or `withdrawal` is
 * null if fewer than 20 such requests were decided. `depositMethods` lacks each method with fewer
 * than 20 decided requests.
 */
export const listReviewTimes = declareEndpoint({
  method: 'GET',
  path: '/transactions/review_times',
  access: 'session',
  permission: 'transactions.read',
  response: z.object({
    deposit: ReviewTime.nullable(),
    withdrawal: ReviewTime.nullable(),
    /** The review times of deposits, by payment method. */
    depositMethods: z.array(ReviewTime.extend({ method: PayOption })),
  }),
  failures: [...LEDGER_QUERY_FAILURES],
})

/**
 * Returns the picture of the payment. Only the owner of the transaction and administrators receive
 * it.
 */
export const getReceipt = declareEndpoint({
  method: 'GET',
  path: '/transactions/:id/receipt',
  access: 'session',
  permission: 'receipts.read',
  request: byId,
  answers: 'file',
  fileTypes: IMAGE_TYPES,
  response: z.null(),
  failures: [
    declareNotFound('transaction'),
    declareNotFound('receipt'),
    FILE_CHANGED,
    ...LEDGER_QUERY_FAILURES,
  ],
})

export const listMyTransactions = declareEndpoint({
  method: 'GET',
  path: '/users/me/transactions',
  access: 'user',
  request: z.strictObject({ query }),
  response: page,
  failures: [...LEDGER_QUERY_FAILURES],
})

/** One step of a transaction, read from the log. */
export const TransactionStep = z.object({
  /** `recorded` means that the movement needed no approval. */
  kind: z.enum(['requested', 'approved', 'declined', 'cancelled', 'reversed', 'recorded']),
  at: Instant,
  /**
   * For an administrator, the name of the person who acted. For the owner, `you` or `the platform`.
   */
  by: z.string(),
  seq: z.string(),
})

/**
 * Returns the details of one transaction. Only the owner of the transaction and administrators
 * receive them.
 */
export const getTransactionDetail = declareEndpoint({
  method: 'GET',
  path: '/transactions/:id',
  access: 'session',
  permission: 'transactions.read',
  request: byId,
  response: z.object({
    transaction: Transaction,
    timeline: z.array(TransactionStep),
    /** The facts to check before a decision. Only administrators receive them. */
    flags: z.array(RiskFlag).optional(),
    /**
     * The time at which the bank account of a withdrawal was added; missing for other transactions
     * and for a removed account. Only administrators receive it.
     */
    bankAccountAddedAt: Instant.optional(),
    /**
     * For an approved withdrawal, the account that paid it, with its details at the time of the
     * approval. For a pending withdrawal, the account that pays it if the approval names no other
     * account. Null means the treasury. Missing for other transactions. Only administrators receive
     * it.
     */
    paidFrom: z.object({ bank: z.string(), accountNumber: z.string() }).nullable().optional(),
    /**
     * The transactions whose receipt is identical to the receipt of this transaction, without this
     * transaction. Only administrators receive them.
     */
    sameReceipt: z.array(Transaction).optional(),
    /**
     * The account to which the deposit was to be paid, with its details at the time of the request.
     * The payment option may have changed since then.
     */
    paidTo: z
      .object({ bank: z.string(), accountNumber: z.string(), extra: z.string().nullable() })
      .nullable(),
    /** The data that the investor stated about a crypto payment. */
    payment: z
      .object({ hash: z.string(), network: z.string(), url: z.url().nullable() })
      .nullable(),
    /**
     * The transactions that have the payment hash of this transaction, without this transaction.
     * Only administrators receive them.
     */
    sameHash: z.array(Transaction).optional(),
  }),
  failures: [declareNotFound('transaction'), ...LEDGER_QUERY_FAILURES],
})

/**
 * Returns the receipt of the transaction's newest event. A reader can verify the receipt without
 * this server.
 */
export const getTransactionProof = declareEndpoint({
  method: 'GET',
  path: '/transactions/:id/proof',
  access: 'session',
  permission: 'transactions.read',
  request: byId,
  response: z.object({
    seq: z.string(),
    /** The receipt as a `tlog-proof` file (c2sp.org/tlog-proof@v1). */
    receipt: z.string(),
    verifierKeys: z.array(z.string()),
  }),
  failures: [
    declareNotFound('transaction'),
    declareFailure(
      404,
      'NO_RECEIPT',
      'The newest event of this transaction is about another investor, so you cannot get its receipt',
    ),
    ...LEDGER_QUERY_FAILURES,
  ],
})

const csvQuery = z.strictObject({
  ...exportQuery,
  type: TransactionType.optional(),
  status: TransactionStatus.optional(),
})

export const exportTransactions = declareCsvEndpoint({
  path: '/transactions.csv',
  permission: 'transactions.read',
  request: z.strictObject({ query: csvQuery.extend({ user: Id.optional() }) }),
  failures: [
    declareFailure(422, 'SEARCH_TOO_WIDE', 'Narrow your search'),
    ...LEDGER_QUERY_FAILURES,
  ],
})

export const exportMyTransactions = declareCsvEndpoint({
  path: '/users/me/transactions.csv',
  access: 'user',
  request: z.strictObject({ query: csvQuery }),
  failures: [...LEDGER_QUERY_FAILURES],
})
