import { z } from 'zod'
import { Wallet } from './accounts.ts'
import { RecordedEvent } from './answers.ts'
import { Id } from './ids.ts'
import { Minor } from './money.ts'

const Seq = Minor
const Account = z.string().min(1).max(120)
const Moment = z.iso.datetime()

/** An event as auditors read it: with the hash that the tree is made of. */
export const LoggedEvent = RecordedEvent.extend({
  /** RFC 6962 leaf hash of the stored bytes, in hex. */
  leafHash: z.string(),
})
export type LoggedEvent = z.infer<typeof LoggedEvent>

export const StoredCheckpoint = z.object({
  size: Seq,
  root: z.string(),
  note: z.string(),
  signedAt: z.string(),
})
export type StoredCheckpoint = z.infer<typeof StoredCheckpoint>

const VerificationRun = z.object({
  id: Id,
  requestedBy: z.string(),
  startedAt: z.string(),
  finishedAt: z.string().nullable(),
  state: z.enum(['running', 'agrees', 'differs', 'cut-off']),
  since: Seq,
  /** Events read so far, of how many. */
  done: Seq,
  of: Seq,
  postings: Seq,
  checkpoints: z.int(),
  firstBadSeq: Seq.nullable(),
  problems: z.array(z.string()),
})

const Maturing = z.object({
  count: z.int(),
  principalMinor: Minor,
  /** Promised and not yet credited. */
  outstandingMinor: Minor,
})

/** What auditors and reviewers ask, beside the queries of the product. */
export const explorerQueries = {
  /** Newest first. A rare kind is searched for in parts: `next` says where to go on. */
  events: {
    request: z.strictObject({
      /** Only events before this one; null: from the newest. */
      before: Seq.nullable(),
      limit: z.int().min(1).max(200),
      type: z.string().max(60).nullable(),
      actor: z.string().max(80).nullable(),
      account: Account.nullable(),
      investorId: Id.nullable(),
      /** One of the postings is of this size, whichever its sign. */
      amountMinor: Minor.nullable(),
      /** By recorded time. */
      from: Moment.nullable(),
      to: Moment.nullable(),
    }),
    response: z.object({
      events: z.array(LoggedEvent),
      /** Ask again with this as `before`; null: everything was seen. */
      next: Seq.nullable(),
      size: Seq,
    }),
  },
  /** One event with the bytes its hash covers, and its receipt once a checkpoint covers it. */
  event: {
    request: z.strictObject({ seq: Seq }),
    response: z.object({
      event: LoggedEvent.nullable(),
      /** The canonical JSON itself. */
      bytes: z.string(),
      receipt: z.string().nullable(),
      verifierKeys: z.array(z.string()),
      size: Seq,
    }),
  },
  /** All events of one investment, oldest first: at most the first and the newest 500. */
  investmentEvents: {
    request: z.strictObject({ investmentId: Id }),
    response: z.object({ events: z.array(RecordedEvent), isCut: z.boolean() }),
  },
  /** All events of one transaction, oldest first. */
  transactionEvents: {
    request: z.strictObject({ transactionId: Id }),
    response: z.object({ events: z.array(RecordedEvent) }),
  },
  /** In the order of their names. */
  accounts: {
    request: z.strictObject({
      /** Only names that begin so; empty: all. */
      prefix: z.string().max(120),
      after: Account.nullable(),
      limit: z.int().min(1).max(500),
    }),
    response: z.object({
      accounts: z.array(z.object({ account: z.string(), balanceMinor: Minor, lastSeq: Seq })),
      next: z.string().nullable(),
    }),
  },
  /** What each kind of account adds up to, as recorded by then; null: now. */
  trialBalance: {
    request: z.strictObject({ at: Moment.nullable() }),
    response: z.object({ seq: Seq, totals: z.record(z.string(), Minor) }),
  },
  /** Newest first. */
  checkpoints: {
    request: z.strictObject({ before: Seq.nullable(), limit: z.int().min(1).max(500) }),
    response: z.object({
      checkpoints: z.array(StoredCheckpoint),
      verifierKeys: z.array(z.string()),
    }),
  },
  /** Begins a verification of the log, or answers the run that is under way. */
  startVerification: {
    request: z.strictObject({
      /** Who asks, as an actor. */
      by: z.string().max(80),
      /** Trust the newest checkpoint of at most so many events; 0: read everything. */
      since: Seq,
    }),
    response: z.object({ id: Id }),
  },
  /** Newest first. */
  verifications: {
    request: z.strictObject({}),
    response: z.object({ runs: z.array(VerificationRun) }),
  },
  /** The lines of an exported log; the first page has the header and says the size to go on with. */
  exportPage: {
    request: z.strictObject({
      next: Seq,
      size: Seq.nullable(),
      limit: z.int().min(1).max(2_000),
    }),
    response: z.object({ header: z.string().nullable(), size: Seq, lines: z.array(z.string()) }),
  },
  /** What running investments end when, from `now` on. */
  maturities: {
    request: z.strictObject({ now: Moment, days: z.int().min(1).max(400) }),
    response: z.object({
      /** Ended by now, not yet matured. */
      overdue: Maturing,
      byDay: z.array(Maturing.extend({ day: z.iso.date() })),
      later: Maturing,
    }),
  },
  /** How long the newest requests since then waited for somebody's decision; at most 5,000 of them. */
  decisionTimes: {
    request: z.strictObject({
      from: Moment,
      type: z.enum(['deposit', 'withdrawal']).optional(),
    }),
    response: z.object({ count: z.int(), medianMs: z.int(), slowestTenthMs: z.int() }),
  },
  /** What the wallet of each settled transaction of these investors held after it. */
  balancesAfter: {
    request: z.strictObject({
      investorIds: z.array(Id).max(1_000),
      transactionIds: z.array(Id).max(5_000),
    }),
    response: z.object({
      balances: z.array(z.object({ transactionId: Id, wallet: Wallet, balanceMinor: Minor })),
    }),
  },
  /** What the investments of each referred investor have brought their referrer. */
  referralEarnings: {
    request: z.strictObject({ referrerId: Id }),
    response: z.object({
      earnings: z.array(z.object({ investorId: Id, investments: z.int(), earnedMinor: Minor })),
    }),
  },
} as const
