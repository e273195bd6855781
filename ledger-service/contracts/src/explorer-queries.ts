import { z } from 'zod'
import { Wallet } from './accounts.ts'
import { RecordedEvent } from './answers.ts'
import { Id } from './ids.ts'
import { ExternalId } from './metadata.ts'
import { Minor } from './money.ts'

const Seq = Minor
const Account = z.string().min(1).max(120)
const Moment = z.iso.datetime()

export const ACTOR_CHARACTERS_MAX = 80

/** An event with its leaf hash, as auditors read it. */
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
  /** The number of events read so far. `of` is the total number of events to read. */
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
  /** Promised profit that is not credited yet. */
  outstandingMinor: Minor,
})

/**
 * The servers on which an answered command is durable. `local`: the primary database server.
 * `standby`: the primary server and a synchronous standby.
 */
export const Durability = z.enum(['local', 'standby'])
export type Durability = z.infer<typeof Durability>

/** The state of a database server, for the people who run it. */
export const DatabaseState = z.object({
  /** The version of PostgreSQL. */
  version: z.string(),
  /** The size of the database. */
  bytes: z.number(),
  /**
   * The age of the oldest recorded event that the archive of the write-ahead log may lack; 0 if the
   * archive has all events, null if the server does not archive.
   */
  archiveLagSeconds: z.number().nullable(),
  /** The number of full segments that are not archived; null if the server does not archive. */
  archiveWaitingSegments: z.int().nullable(),
  /** The number of servers that receive the write-ahead log. */
  standbys: z.int(),
  /** The largest delay of a standby; null if the role of the ledger may not read it. */
  standbyLagSeconds: z.number().nullable(),
})
export type DatabaseState = z.infer<typeof DatabaseState>

/** A recorded seal: `head` is the hash of row number `count` of the gateway's audit log. */
export const AuditSeal = z.object({
  seq: Seq,
  count: z.int(),
  head: z.string(),
  sealedAt: z.string(),
})
export type AuditSeal = z.infer<typeof AuditSeal>

/** The queries of auditors and reviewers, in addition to the product's queries. */
export const explorerQueries = {
  /** The seals of the audit log, oldest first. */
  auditSeals: {
    request: z.strictObject({
      /**
       * Lists only seals in events with a number above `after`. Null starts with the first seal.
       */
      after: Seq.nullable(),
      limit: z.int().min(1).max(1_000),
    }),
    response: z.object({ seals: z.array(AuditSeal) }),
  },
  /**
   * Lists events, newest first. One call scans a bounded part of the log; `next` continues the
   * search.
   */
  events: {
    request: z.strictObject({
      /** Lists only events with a number below `before`. Null starts with the newest event. */
      before: Seq.nullable(),
      limit: z.int().min(1).max(200),
      type: z.string().max(60).nullable(),
      actor: z.string().max(ACTOR_CHARACTERS_MAX).nullable(),
      account: Account.nullable(),
      investorId: Id.nullable(),
      /** Matches events with exactly this external id. */
      externalId: ExternalId.nullable(),
      /** Matches the events of the transaction with exactly this reference. */
      reference: z.string().max(120).nullable(),
      /** Matches events with a posting of this absolute amount. */
      amountMinor: Minor.nullable(),
      /** The bounds of the recorded time of the events. */
      from: Moment.nullable(),
      to: Moment.nullable(),
    }),
    response: z.object({
      events: z.array(LoggedEvent),
      /** The value of `before` for the next call. Null if the search is complete. */
      next: Seq.nullable(),
      size: Seq,
    }),
  },
  /**
   * Returns one event, the bytes that its hash covers, and a receipt if a checkpoint includes the
   * event.
   */
  event: {
    request: z.strictObject({ seq: Seq }),
    response: z.object({
      event: LoggedEvent.nullable(),
      /** The canonical JSON of the event. */
      bytes: z.string(),
      receipt: z.string().nullable(),
      verifierKeys: z.array(z.string()),
      size: Seq,
    }),
  },
  /**
   * Returns the receipt of the newest event that defined a plan on offer. Null if no plan is on
   * offer.
   */
  planReceipt: {
    request: z.strictObject({}),
    response: z.object({ receipt: z.string().nullable() }),
  },
  /**
   * The events of one investment, oldest first. If there are too many events, returns only the
   * first event and the newest 500 events.
   */
  investmentEvents: {
    request: z.strictObject({ investmentId: Id }),
    response: z.object({ events: z.array(RecordedEvent), isCut: z.boolean() }),
  },
  /** All events of one transaction, oldest first. */
  transactionEvents: {
    request: z.strictObject({ transactionId: Id }),
    response: z.object({ events: z.array(RecordedEvent) }),
  },
  /** Lists accounts, ordered by name. */
  accounts: {
    request: z.strictObject({
      /** Lists only names with this prefix. The empty prefix lists all accounts. */
      prefix: z.string().max(120),
      after: Account.nullable(),
      limit: z.int().min(1).max(500),
    }),
    response: z.object({
      accounts: z.array(z.object({ account: z.string(), balanceMinor: Minor, lastSeq: Seq })),
      next: z.string().nullable(),
    }),
  },
  /** The sum of each account kind over the events recorded until `at`. Null means now. */
  trialBalance: {
    request: z.strictObject({ at: Moment.nullable() }),
    response: z.object({ seq: Seq, totals: z.record(z.string(), Minor) }),
  },
  /** Lists the signed checkpoints, newest first. */
  checkpoints: {
    request: z.strictObject({ before: Seq.nullable(), limit: z.int().min(1).max(500) }),
    response: z.object({
      checkpoints: z.array(StoredCheckpoint),
      verifierKeys: z.array(z.string()),
    }),
  },
  /** Starts a verification of the log, or returns the run that is in progress. */
  startVerification: {
    request: z.strictObject({
      /** The actor who requests the run. */
      by: z.string().max(ACTOR_CHARACTERS_MAX),
      /**
       * The run trusts the newest checkpoint of at most this size. With 0, the run reads the whole
       * log.
       */
      since: Seq,
    }),
    response: z.object({ id: Id }),
  },
  /**
   * Returns the durability of answered commands: the level that the operator requires, and the
   * present level.
   */
  durability: {
    request: z.strictObject({}),
    response: z.object({ required: Durability, now: Durability }),
  },
  /** Returns the state of the service that answers and of its database server. */
  serverState: {
    request: z.strictObject({}),
    response: z.object({
      release: z.string(),
      /** The end of the certificate of the service; null if the service has none. */
      certificateExpiresAt: Moment.nullable(),
      /** The file system with the checkpoint files; null before the first checkpoint. */
      disk: z.object({ freeBytes: z.number(), totalBytes: z.number() }).nullable(),
      database: DatabaseState,
    }),
  },
  /** Lists the verification runs, newest first. */
  verifications: {
    request: z.strictObject({}),
    response: z.object({
      runs: z.array(VerificationRun),
      /**
       * The time at which this process passed its start check. The check compares the log with the
       * newest checkpoint in the checkpoint files and checks the protections of the database. Null
       * if the ledger was opened without this check.
       */
      startCheckedAt: Moment.nullable(),
    }),
  },
  /**
   * Returns lines of an exported log. The first page also contains the header. For every page after
   * the first page, the caller sends the `size` that the first page returned.
   */
  exportPage: {
    request: z.strictObject({
      next: Seq,
      size: Seq.nullable(),
      limit: z.int().min(1).max(2_000),
    }),
    response: z.object({ header: z.string().nullable(), size: Seq, lines: z.array(z.string()) }),
  },
  /** For each day from `now` on, counts the active investments that end on this day. */
  maturities: {
    request: z.strictObject({ now: Moment, days: z.int().min(1).max(400) }),
    response: z.object({
      /** Investments whose term has ended but that have not matured yet. */
      overdue: Maturing,
      byDay: z.array(Maturing.extend({ day: z.iso.date() })),
      later: Maturing,
    }),
  },
  /**
   * Statistics of the time from request to decision, over at most the newest 5,000 requests since
   * `from`.
   */
  decisionTimes: {
    request: z.strictObject({
      from: Moment,
      type: z.enum(['deposit', 'withdrawal']).optional(),
      method: z.string().max(120).optional(),
    }),
    response: z.object({ count: z.int(), medianMs: z.int(), p90Ms: z.int() }),
  },
  /** Returns the balance of the wallet after each settled transaction of these investors. */
  balancesAfter: {
    request: z.strictObject({
      investorIds: z.array(Id).max(1_000),
      transactionIds: z.array(Id).max(5_000),
    }),
    response: z.object({
      balances: z.array(z.object({ transactionId: Id, wallet: Wallet, balanceMinor: Minor })),
    }),
  },
  /**
   * Returns the bonuses that the investments of these referred investors earned for the referrer. A
   * referred investor whose investments earned no bonus has no row.
   */
  referralEarnings: {
    request: z.strictObject({ referrerId: Id, investorIds: z.array(Id).max(1_000) }),
    response: z.object({
      earnings: z.array(z.object({ investorId: Id, investments: z.int(), earnedMinor: Minor })),
    }),
  },
} as const
