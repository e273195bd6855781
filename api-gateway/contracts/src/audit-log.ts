import { z } from 'zod'
import { declareCsvEndpoint, declareEndpoint, JSON_LINES } from './endpoint.ts'
import { LEDGER_QUERY_FAILURES } from './failures.ts'
import { createWholeNumberField, Id, Instant, identity } from './fields.ts'
import { Moment } from './lists.ts'
import { Person } from './users.ts'

/** An audited action in the gateway. Entries are never changed or removed. */
export const AuditEntry = z.object({
  ...identity,
  at: Instant,
  /** The person who acted; missing if no user was signed in. */
  actor: Person.optional(),
  /** The audited action, for example `transaction.approve`. */
  action: z.string(),
  /** The id of the object that the action changed. */
  subject: z.string().nullable(),
  ip: z.string(),
  requestId: z.string(),
  /**
   * The result: `success`, the code of a refusal or failure, or `attempted` if no result was
   * recorded.
   */
  result: z.string(),
  /** The number of the ledger event that the action produced, if any. */
  event: z.string().nullable(),
  /** The submitted data, or the values before and after the change. */
  details: z.record(z.string(), z.unknown()),
})
export type AuditEntry = z.infer<typeof AuditEntry>

const filter = {
  actor: Id.optional(),
  /** A complete action such as `user.login`, or its first part such as `user`. */
  action: z
    .string()
    .regex(/^[a-z-]+(\.[a-z-]+)?$/)
    .optional(),
  subject: z
    .string()
    .regex(/^[\w.:-]{1,80}$/)
    .optional(),
  from: Moment.optional(),
  to: Moment.optional(),
}

/** Lists the audit log, newest entry first. */
export const listAudit = declareEndpoint({
  method: 'GET',
  path: '/admin/audit',
  permission: 'audit.read',
  request: z.strictObject({
    query: z.strictObject({
      limit: createWholeNumberField('limit', { min: 1, max: 500 }).default(50),
      before: Id.optional(),
      ...filter,
    }),
  }),
  response: z.object({
    entries: z.array(AuditEntry),
    meta: z.object({ next: Id.nullable(), actions: z.array(z.string()) }),
  }),
})

export const exportAudit = declareCsvEndpoint({
  path: '/admin/audit.csv',
  permission: 'audit.read',
  request: z.strictObject({ query: z.strictObject(filter) }),
})

/**
 * Returns the whole audit log as JSON lines with the fields of the hash chain, for `npm run ledger
 * -- verify --audit`. Rows that are not sealed yet are at the end, without position and hash.
 */
export const exportAuditChain = declareEndpoint({
  method: 'GET',
  path: '/admin/audit.jsonl',
  permission: 'audit.read',
  response: z.null(),
  answers: 'file',
  fileTypes: JSON_LINES,
})

/** The result of checking a part of the hash chain. */
export const AuditChain = z.object({
  /**
   * The position of the last checked row. All rows up to this position match their hashes and
   * seals.
   */
  checkedTo: z.int(),
  /** The newest seal that matches the chain: its event number, its number of rows and its time. */
  seal: z.object({ event: z.string(), count: z.int(), sealedAt: Instant }).nullable(),
  /** The first row that does not match its hash or its seal. */
  problem: z.object({ position: z.int(), message: z.string() }).nullable(),
  /** The number of rows without a seal, and the time of the oldest such row. */
  waiting: z.object({ count: z.int(), oldestAt: Instant.nullable() }),
  /**
   * The arguments with which the next call continues the check; null if the check has reached the
   * end of the audit log. Several calls are needed, because one call checks a limited number of
   * rows.
   */
  next: z.object({ after: z.int(), afterSeal: z.string().nullable() }).nullable(),
})
export type AuditChain = z.infer<typeof AuditChain>

/** Compares rows with their hashes and with the seals in the ledger. */
export const checkAuditChain = declareEndpoint({
  method: 'GET',
  path: '/admin/audit/chain',
  permission: 'audit.read',
  request: z.strictObject({
    query: z.strictObject({
      /** The position of the last row that the previous call checked. */
      after: createWholeNumberField('after', { min: 0, max: 999_999_999_999_999 }).default(0),
      /** The event number of the last seal that the previous call checked. */
      afterSeal: z
        .string()
        .regex(/^\d{1,15}$/)
        .optional(),
    }),
  }),
  response: z.object({ chain: AuditChain }),
  failures: [...LEDGER_QUERY_FAILURES],
})

export const Activity = z.object({
  ...identity,
  at: Instant,
  action: z.string(),
  ip: z.string(),
  subject: z.string().nullable(),
  /** The result: `success`, or the code of a refusal or failure. */
  result: z.string(),
})
export type Activity = z.infer<typeof Activity>

/** Lists the actions on the caller's own account, newest first. */
export const listMyActivity = declareEndpoint({
  method: 'GET',
  path: '/users/me/activity',
  access: 'session',
  request: z.strictObject({
    query: z.strictObject({
      limit: createWholeNumberField('limit', { min: 1, max: 100 }).default(25),
      before: Id.optional(),
    }),
  }),
  response: z.object({
    activity: z.array(Activity),
    meta: z.object({ next: Id.nullable() }),
  }),
})

export const exportMyActivity = declareCsvEndpoint({
  path: '/users/me/activity.csv',
  access: 'session',
})
