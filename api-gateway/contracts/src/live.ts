import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { failure, LEDGER_QUERY_FAILURES } from './failures.ts'
import { Id } from './fields.ts'
import type { Permission } from './permissions.ts'

/** The data that an open page should load again. */
export const LiveTopic = z.enum([
  'balance',
  'transactions',
  'investments',
  'notifications',
  'account',
  'plans',
  'settings',
  /** For administrators: the set of requests that wait for a decision has changed. */
  'queue',
  /** For administrators: a change request was created or decided. */
  'approvals',
  /** For administrators: the log has new events. */
  'log',
])
export type LiveTopic = z.infer<typeof LiveTopic>

/** The permission without which an administrator receives no message about the topic. */
export const TOPIC_PERMISSIONS: Readonly<Record<LiveTopic, Permission | null>> = {
  balance: 'overview.read',
  transactions: 'transactions.read',
  investments: 'investments.read',
  notifications: null,
  account: 'users.read',
  plans: 'plans.read',
  settings: null,
  queue: 'transactions.read',
  approvals: 'approvals.read',
  log: 'ledger.read',
}

/** The data of a `change` message; its id is the event number. */
export const LiveChange = z.object({ topics: z.array(LiveTopic) })
export type LiveChange = z.infer<typeof LiveChange>

export const LIVE_HEARTBEAT_SECONDS = 15

/**
 * Server-sent events. `change` has topics. `position` follows the opening; its id is the newest
 * event that this stream includes. `reload` replaces the list of changes if too many were missed.
 * `end` says that the session has ended. A comment every 15 seconds shows that the connection
 * works. A client that shares one stream between pages sends the expected user in `user`, so that
 * the server refuses a stream reopened after another login, and the last id that it has seen in
 * `after`. A `Last-Event-ID` header takes precedence over `after`.
 */
export const followChanges = endpoint({
  method: 'GET',
  path: '/events',
  access: 'session',
  request: z.strictObject({
    query: z.strictObject({
      user: Id.optional(),
      after: z
        .string()
        .regex(/^\d{1,18}$/, 'after must be the id of a message')
        .optional(),
    }),
  }),
  response: z.null(),
  answers: 'stream',
  failures: [
    failure(
      409,
      'ANOTHER_USER',
      'Another person is logged in to this browser now. Load the page again.',
    ),
    failure(
      503,
      'TOO_MANY_PAGES',
      'Too many pages are open, so this page is not updated live. It tries again by itself.',
    ),
    ...LEDGER_QUERY_FAILURES,
  ],
})
