import { ACTOR_CHARACTERS_MAX, ExternalId } from '@cairn/ledger-contracts'
import { z } from 'zod'
import { declareCsvEndpoint, declareEndpoint } from './endpoint.ts'
import { declareFailure, LEDGER_QUERY_FAILURES } from './failures.ts'
import { createWholeNumberField, Instant, SINGLE_LINE } from './fields.ts'
import { Moment } from './lists.ts'
import { MoneyIn } from './money.ts'
import { Person } from './users.ts'

/** An amount in an asset, with at most as many decimals as the asset has. */
export const LedgerAmount = z.number()

/** An event number as digits. A JSON number could not represent a very large number exactly. */
export const Seq = z.string().regex(/^\d{1,18}$/, 'must be the number of an event')

/** The largest number of a ledger. */
export const LEDGER_MAX = 1_000

/**
 * The query parameter that chooses a ledger of the site. By default, what concerns a person comes
 * from the ledger of the person, and everything else from the first ledger. A ledger that the site
 * does not have is refused with 400.
 */
export const LedgerNumber = createWholeNumberField('ledger', { min: 1, max: LEDGER_MAX }).optional()

export const LogPosting = z.object({ account: z.string(), amount: LedgerAmount })

/** An event of the ledger's log. */
export const LogEvent = z.object({
  seq: Seq,
  type: z.string(),
  schemaVersion: z.int(),
  /** The actor that caused the event: `user:<id>`, `admin:<id>` or `system:<name>`. */
  actor: z.string(),
  /** The person to whom the actor refers, if the account still exists. */
  person: Person.optional(),
  /** The person whom the data of the event names, if the account of the person still exists. */
  subject: Person.optional(),
  recordedAt: Instant,
  effectiveAt: Instant,
  /**
   * The place of the event among linked events, which were recorded together; null if the event is
   * not linked.
   */
  linked: z.object({ index: z.int(), length: z.int() }).nullable(),
  /** The id of the command in another system. */
  externalId: z.string().nullable(),
  /** The metadata that another system added to the command. */
  metadata: z.record(z.string(), z.string()).nullable(),
  data: z.record(z.string(), z.unknown()),
  postings: z.array(LogPosting),
  /** The RFC 6962 leaf hash of the event, hexadecimal. */
  leafHash: z.string(),
})
export type LogEvent = z.infer<typeof LogEvent>

const searchText = z.string().trim().min(1).max(120).regex(SINGLE_LINE, 'cannot be searched for')
/** Matches the form of an actor, and not a name or an email. */
export const ACTOR_PATTERN = /^(user|admin|system)(:|$)/
const Actor = searchText.refine(
  (text) => !ACTOR_PATTERN.test(text) || text.length <= ACTOR_CHARACTERS_MAX,
  `must be an actor of at most ${ACTOR_CHARACTERS_MAX} characters`,
)
/** References are ASCII. Other letters can become longer in upper case. */
const Reference = searchText.regex(/^[ -~]*$/, 'cannot be searched for')
const AccountCode = z.string().regex(/^[\w.:@/-]{1,120}$/, 'must be the code of an account')

const eventFilter = {
  ledger: LedgerNumber,
  type: z
    .string()
    .regex(/^[A-Za-z]{1,60}$/)
    .optional(),
  /**
   * Selects events by their actor: `admin:<id>`, a prefix of `admin:<id>`, or the name or email of
   * a person.
   */
  actor: Actor.optional(),
  /** Selects events by an account: an account code, or the name of a payment option. */
  account: searchText.optional(),
  /** Selects events by a person: an id, a name or an email. */
  user: searchText.optional(),
  amount: MoneyIn.optional(),
  /** Selects events by the complete id of the command in another system. */
  externalId: z.string().trim().pipe(ExternalId).optional(),
  /** Selects events by the complete reference of a transaction. */
  reference: Reference.optional(),
  from: Moment.optional(),
  to: Moment.optional(),
}

export const listLogEvents = declareEndpoint({
  method: 'GET',
  path: '/admin/ledger/events',
  permission: 'ledger.read',
  request: z.strictObject({
    query: z.strictObject({
      before: Seq.optional(),
      limit: createWholeNumberField('limit', { min: 1, max: 200 }).default(50),
      ...eventFilter,
    }),
  }),
  response: z.object({
    events: z.array(LogEvent),
    meta: z.object({
      /** The number of events in the log. */
      size: Seq,
      /**
       * The value of `before` for the next page of the search; null if the search has reached the
       * start of the log.
       */
      next: Seq.nullable(),
      types: z.array(z.string()),
    }),
  }),
  failures: [
    declareFailure(422, 'NOTHING_FOUND', 'No user has the name or email “{text}”'),
    declareFailure(422, 'NOTHING_FOUND', 'No account is called “{text}”'),
    declareFailure(422, 'SEARCH_TOO_WIDE', 'Several people match “{text}”: search by email'),
    declareFailure(
      422,
      'SEARCH_TOO_WIDE',
      'Several accounts match “{text}”. Enter the full name of the account.',
    ),
    ...LEDGER_QUERY_FAILURES,
  ],
})

export const exportLogEvents = declareCsvEndpoint({
  path: '/admin/ledger/events.csv',
  permission: 'ledger.read',
  request: z.strictObject({ query: z.strictObject(eventFilter) }),
  failures: [
    declareFailure(422, 'NOTHING_FOUND', 'No user has the name or email “{text}”'),
    declareFailure(422, 'NOTHING_FOUND', 'No account is called “{text}”'),
    declareFailure(422, 'SEARCH_TOO_WIDE', 'Several people match “{text}”: search by email'),
    declareFailure(
      422,
      'SEARCH_TOO_WIDE',
      'Several accounts match “{text}”. Enter the full name of the account.',
    ),
    ...LEDGER_QUERY_FAILURES,
  ],
})

const seqParam = z.strictObject({ seq: Seq })

/**
 * Returns an event, the bytes that its hash covers, and a receipt that can be verified without the
 * database.
 */
export const getLogEvent = declareEndpoint({
  method: 'GET',
  path: '/admin/ledger/events/:seq',
  permission: 'ledger.read',
  request: z.strictObject({ params: seqParam }),
  response: z.object({
    event: LogEvent,
    bytes: z.string(),
    /** The receipt as a `tlog-proof` file; null until a checkpoint covers the event. */
    receipt: z.string().nullable(),
    verifierKeys: z.array(z.string()),
    size: Seq,
  }),
  failures: [
    declareFailure(404, 'NOT_FOUND', 'The ledger has no event {seq}'),
    ...LEDGER_QUERY_FAILURES,
  ],
})

export const LogAccount = z.object({
  account: z.string(),
  kind: z.string(),
  balance: LedgerAmount,
  lastSeq: Seq,
  person: Person.optional(),
})

const accountFilter = {
  ledger: LedgerNumber,
  /** Selects accounts: a prefix of the account code, or the id of a person. */
  prefix: z
    .string()
    .regex(/^[\w.:@/-]{0,120}$/)
    .default(''),
}

export const listLogAccounts = declareEndpoint({
  method: 'GET',
  path: '/admin/ledger/accounts',
  permission: 'ledger.read',
  request: z.strictObject({
    query: z.strictObject({
      ...accountFilter,
      after: AccountCode.optional(),
      limit: createWholeNumberField('limit', { min: 1, max: 500 }).default(100),
    }),
  }),
  response: z.object({
    accounts: z.array(LogAccount),
    meta: z.object({ next: z.string().nullable() }),
  }),
  failures: [...LEDGER_QUERY_FAILURES],
})

export const exportLogAccounts = declareCsvEndpoint({
  path: '/admin/ledger/accounts.csv',
  permission: 'ledger.read',
  request: z.strictObject({ query: z.strictObject(accountFilter) }),
  failures: [...LEDGER_QUERY_FAILURES],
})

const accountParam = z.strictObject({ account: AccountCode })

/** Lists the movements of one account, newest first, each with the resulting balance. */
export const getLogAccount = declareEndpoint({
  method: 'GET',
  path: '/admin/ledger/accounts/:account',
  permission: 'ledger.read',
  request: z.strictObject({
    params: accountParam,
    query: z.strictObject({
      ledger: LedgerNumber,
      before: Seq.optional(),
      limit: createWholeNumberField('limit', { min: 1, max: 500 }).default(100),
      /**
       * If set, the answer contains `past`: the balance over the events that were recorded until
       * this time.
       */
      at: Moment.optional(),
      /**
       * If set, the answer contains `effective`: the balance over the events that were effective
       * until this time.
       */
      effectiveAt: Moment.optional(),
    }),
  }),
  response: z.object({
    account: z.string(),
    balance: LedgerAmount,
    /**
     * The balance over the events that were recorded until `at`. `seq` is the number of the last of
     * these events.
     */
    past: z.object({ at: Instant, seq: z.string(), balance: LedgerAmount }).nullable(),
    /** The balance over all recorded events that were effective until `at`. */
    effective: z.object({ at: Instant, seq: z.string(), balance: LedgerAmount }).nullable(),
    lines: z.array(
      z.object({
        seq: Seq,
        type: z.string(),
        amount: LedgerAmount,
        balance: LedgerAmount,
        recordedAt: Instant,
        effectiveAt: Instant,
      }),
    ),
    meta: z.object({ next: Seq.nullable() }),
  }),
  failures: [
    declareFailure(404, 'NOT_FOUND', 'Nothing was ever posted to this account'),
    ...LEDGER_QUERY_FAILURES,
  ],
})

export const exportLogAccount = declareCsvEndpoint({
  path: '/admin/ledger/accounts/:account/statement.csv',
  permission: 'ledger.read',
  request: z.strictObject({
    params: accountParam,
    query: z.strictObject({ ledger: LedgerNumber }),
  }),
  failures: [
    declareFailure(404, 'NOT_FOUND', 'Nothing was ever posted to this account'),
    ...LEDGER_QUERY_FAILURES,
  ],
})
