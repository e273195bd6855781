import { z } from 'zod'
import { DualControlMode } from './approvals.ts'
import { explorerQueries } from './explorer-queries.ts'
import { Id } from './ids.ts'
import { Minor } from './money.ts'
import { monthQueries } from './month-queries.ts'
import {
  InvestmentStatus,
  InvestorSummary,
  LedgerInvestment,
  LedgerTransaction,
  Plan,
  RulesInForce,
  TransactionPurpose,
  TransactionStatus,
  TransactionType,
} from './projections.ts'

const Instant = z.string()
const Seq = Minor

export const PAGE_LIMIT_MAX = 5_000

const pageRequest = {
  /** Null selects all investors and the operator. */
  investorIds: z.array(Id).max(1_000).nullable(),
  from: Instant.nullable(),
  to: Instant.nullable(),
  order: z.enum(['newest', 'oldest', 'largest', 'smallest']),
  limit: z.int().min(1).max(PAGE_LIMIT_MAX),
  offset: z.int().min(0).max(10_000),
  /**
   * The id of the last row of the previous page, in the same order. Unlike `offset`, this id can
   * reach rows beyond the first 10,000.
   */
  after: Id.optional(),
  /**
   * The amount of the row `after` when its page was read. In an order by amount, the page begins
   * there even if the amount has changed since. The default is the present amount.
   */
  afterAmountMinor: Minor.optional(),
  /**
   * The id of the first row of the next page. The page ends before this row. Ignored with `after`.
   */
  before: Id.optional(),
  /**
   * The page begins after this time or amount, whichever `order` sorts by; with `isBefore`, it ends
   * before it. Continues a list of several ledgers after a row of another one. Ignored with `after`
   * or `before`.
   */
  border: z
    .strictObject({
      at: Instant,
      amountMinor: Minor,
      /** True if rows with the same time or amount are on the page. */
      isIncluded: z.boolean(),
      isBefore: z.boolean(),
    })
    .optional(),
  /** A prefix of the reference, an amount such as `12` or `12.50`, or a part of a plan's name. */
  q: z.string().trim().max(100).nullable(),
  /** The people whose names match `q`. Their rows match it too. Ignored without `q`. */
  namedInvestorIds: z.array(Id).max(1_000).optional(),
}

const TransactionFilter = z.strictObject({
  ...pageRequest,
  type: TransactionType.nullable(),
  /** `declined` includes cancelled transactions. */
  status: TransactionStatus.exclude(['cancelled']).nullable(),
  purpose: TransactionPurpose.optional(),
})
const InvestmentFilter = z.strictObject({
  ...pageRequest,
  /** `denied` includes cancelled investments. */
  status: InvestmentStatus.exclude(['cancelled']).nullable(),
})

export const OperatorTotals = z.object({
  /**
   * The sum of each account kind over all investors. The sum of cash is negative, because it is a
   * debit balance.
   */
  byKind: z.record(z.string(), Minor),
  transactions: z.array(
    LedgerTransaction.pick({ type: true, status: true, amountMinor: true }).extend({
      count: z.int(),
    }),
  ),
  investments: z.array(
    z.object({
      status: InvestmentStatus,
      count: z.int(),
      amountMinor: Minor,
      profitMinor: Minor,
    }),
  ),
  activeInvestors: z.int(),
})
export type OperatorTotals = z.infer<typeof OperatorTotals>

/**
 * The queries. `POST /v1/queries/<name>` runs a query. The rows and the totals of an answer can come
 * from two statements, so a total can include an event that is missing in the rows.
 */
export const queries = {
  ...explorerQueries,
  ...monthQueries,
  plans: {
    request: z.strictObject({ includeArchived: z.boolean() }),
    response: z.object({ plans: z.array(Plan) }),
  },
  rules: { request: z.strictObject({}), response: z.object({ rules: RulesInForce }) },
  /**
   * The approvers, each with the amount that the approver moved alone in the current hour and the
   * 24 hours before it.
   */
  controls: {
    request: z.strictObject({ now: Instant }),
    response: z.object({
      mode: DualControlMode,
      approvers: z.array(
        z.object({
          approverId: z.string(),
          isActive: z.boolean(),
          addedAt: Instant,
          aloneMinor: Minor,
        }),
      ),
    }),
  },
  /**
   * `verifierKey` is the key that signs the log, or null before the first checkpoint. `permission`
   * is the newest permission to replace this key, which can have expired.
   */
  signingKey: {
    request: z.strictObject({}),
    response: z.object({
      verifierKey: z.string().nullable(),
      permission: z.object({ permittedAt: Instant, until: Instant }).nullable(),
    }),
  },
  /** The known investors in the order of the request. Unknown ids are omitted. */
  investors: {
    request: z.strictObject({ investorIds: z.array(Id).max(1_000) }),
    response: z.object({ investors: z.array(InvestorSummary) }),
  },
  transactions: {
    request: TransactionFilter,
    response: z.object({
      transactions: z.array(LedgerTransaction),
      total: z.int(),
      totalMinor: Minor,
    }),
  },
  transaction: {
    request: z.strictObject({ transactionId: Id }),
    response: z.object({ transaction: LedgerTransaction.nullable() }),
  },
  investments: {
    request: InvestmentFilter,
    response: z.object({
      investments: z.array(LedgerInvestment),
      total: z.int(),
      investedMinor: Minor,
      profitMinor: Minor,
      activeCount: z.int(),
    }),
  },
  investment: {
    request: z.strictObject({ investmentId: Id }),
    response: z.object({ investment: LedgerInvestment.nullable() }),
  },
  /**
   * Lists investments, ordered by id, that have an uncredited unit which ended by `now`. `after` is
   * the last id of the previous page.
   */
  due: {
    request: z.strictObject({
      now: Instant,
      after: Id.nullable(),
      investorId: Id.nullable(),
      limit: z.int().min(1).max(1_000),
    }),
    response: z.object({
      due: z.array(z.object({ investmentId: Id, units: z.int() })),
    }),
  },
  /** Investments whose referral bonus became payable by `now`. */
  dueBonuses: {
    request: z.strictObject({ now: Instant, limit: z.int().min(1).max(1_000) }),
    response: z.object({ investmentIds: z.array(Id) }),
  },
  /** The number of investments with a unit that ended before `now`, and the oldest due time. */
  dueLag: {
    request: z.strictObject({ now: Instant }),
    response: z.object({ due: z.int(), oldestDueAt: Instant.nullable() }),
  },
  totals: { request: z.strictObject({}), response: z.object({ totals: OperatorTotals }) },
  /** The head of the Merkle tree of the first `size` events. Null means all events. */
  head: {
    request: z.strictObject({ size: Seq.nullable() }),
    response: z.object({ size: Seq, root: z.string() }),
  },
  /**
   * The inclusion proof of the event `seq` in the tree of `size` events, from leaf to root, in hex.
   */
  inclusion: {
    request: z.strictObject({ seq: Seq, size: Seq.nullable() }),
    response: z.object({ size: Seq, path: z.array(z.string()) }),
  },
  /** The consistency proof between the trees of `oldSize` and `size` events, in hex. */
  consistency: {
    request: z.strictObject({ oldSize: Seq, size: Seq.nullable() }),
    response: z.object({ size: Seq, path: z.array(z.string()) }),
  },
  /** The postings of one account, newest first, each with the balance after the posting. */
  statement: {
    request: z.strictObject({
      account: z.string().max(120),
      /** Lists only events with a number below `before`. Null starts with the newest event. */
      before: Seq.nullable(),
      limit: z.int().min(1).max(1_000),
      /**
       * Adds all postings of the last event, even beyond `limit`, so that the next page can begin
       * before this event. Release 0.9.0 does not send it, and takes a longer page for the last one.
       */
      wholeEvents: z.literal(true).optional(),
    }),
    response: z.object({
      lines: z.array(
        z.object({
          seq: Seq,
          type: z.string(),
          amountMinor: Minor,
          balanceAfterMinor: Minor,
          recordedAt: Instant,
          effectiveAt: Instant,
        }),
      ),
    }),
  },
  /** The balance of an account over the events recorded until `at`. Null means now. */
  balance: {
    request: z.strictObject({ account: z.string().max(120), at: z.iso.datetime().nullable() }),
    response: z.object({ seq: Seq, balanceMinor: Minor }),
  },
  /**
   * The balance of an account over the events that were recorded until `at` and effective until
   * `effectiveAt`. Null means now.
   */
  effectiveBalance: {
    request: z.strictObject({
      account: z.string().max(120),
      effectiveAt: z.iso.datetime(),
      at: z.iso.datetime().nullable(),
    }),
    response: z.object({ seq: Seq, balanceMinor: Minor }),
  },
  /** The newest signed checkpoint and all keys that have signed a checkpoint. */
  checkpoint: {
    request: z.strictObject({}),
    response: z.object({
      checkpoint: z.object({ size: Seq, note: z.string() }).nullable(),
      /** The first key and the handovers to its successors, as `openKeys` takes them. */
      verifierKeys: z.array(z.string()),
    }),
  },
  /** The receipt of one event, a `tlog-proof` file that can be verified with one of the keys. */
  receipt: {
    request: z.strictObject({ seq: Seq }),
    response: z.object({ receipt: z.string(), verifierKeys: z.array(z.string()) }),
  },
  /**
   * Verifies the whole log and compares all balances with the log. `problems` is empty if there is
   * no difference.
   */
  check: {
    request: z.strictObject({}),
    response: z.object({ events: Seq, postings: Seq, problems: z.array(z.string()) }),
  },
} as const
export type QueryName = keyof typeof queries
export type QueryRequest<Name extends QueryName> = z.infer<(typeof queries)[Name]['request']>
export type QueryResponse<Name extends QueryName> = z.infer<(typeof queries)[Name]['response']>

/**
 * A request for transactions without a filter, newest first. Each call names the investors itself,
 * so that a call which omits them does not list the transactions of all investors.
 */
export const ALL_TRANSACTIONS: Omit<QueryRequest<'transactions'>, 'investorIds' | 'limit'> = {
  from: null,
  to: null,
  order: 'newest',
  offset: 0,
  type: null,
  status: null,
  q: null,
}
