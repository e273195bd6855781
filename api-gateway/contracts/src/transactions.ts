import { z } from 'zod'
import { csvEndpoint, endpoint } from './endpoint.ts'
import { failure, LEDGER_ASKED, noSuch } from './failures.ts'
import { byId, Id, Instant, identity } from './fields.ts'
import { exportQuery, listQuery, TransactionMeta } from './lists.ts'
import { MoneyOut } from './money.ts'
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
    'adjustment',
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
  /** True while the second of two approvals, of the request or of its reversal, is missing. */
  isApprovedOnce: z.boolean(),
  /** The path of the receipt on this origin. */
  receipt: z.string().nullable(),
  declineReason: z.string().nullable(),
  payoutReference: z.string().nullable(),
  investmentId: Id.nullable(),
  /** One's own lists only: what the wallet that it moved held after it; null until it is settled. */
  balanceAfter: z.object({ wallet: WalletName, amount: MoneyOut }).nullable().optional(),
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
const page = z.object({ transactions: z.array(Transaction), meta: TransactionMeta })

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

/** How long the latest requests waited for a decision. */
export const ReviewTime = z.object({
  count: z.int(),
  medianMs: z.int(),
  slowestTenthMs: z.int(),
})
export type ReviewTime = z.infer<typeof ReviewTime>

/** Of the last 30 days, at most a minute old; null while fewer than 20 were decided. */
export const listReviewTimes = endpoint({
  method: 'GET',
  path: '/transactions/review_times',
  access: 'session',
  response: z.object({ deposit: ReviewTime.nullable(), withdrawal: ReviewTime.nullable() }),
  failures: [...LEDGER_ASKED],
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

/** One step in the life of a transaction, from the log. */
export const TransactionStep = z.object({
  /** `recorded`: the ledger moved the money itself, nothing had to be approved. */
  kind: z.enum([
    'requested',
    'approved-once',
    'approved',
    'declined',
    'cancelled',
    'reversed',
    'recorded',
  ]),
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
  'hash-used-before',
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
    /** Where a deposit was to be paid to when it was made; the option may say something else by now. */
    paidTo: z
      .object({ bank: z.string(), accountNumber: z.string(), extra: z.string().nullable() })
      .nullable(),
    /** What the depositor says of a payment in a coin. */
    payment: z
      .object({ hash: z.string(), network: z.string(), url: z.url().nullable() })
      .nullable(),
    /** Other transactions that were asked for with the very same hash; administrators only. */
    sameHash: z.array(Transaction).optional(),
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
