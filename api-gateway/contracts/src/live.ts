import { z } from 'zod'
import { declareEndpoint } from './endpoint.ts'
import { declareFailure, LEDGER_QUERY_FAILURES } from './failures.ts'
import { Id } from './fields.ts'
import type { Permission } from './permissions.ts'

/** The kind of data that has changed, so that open pages load it again. */
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

/**
 * The permission that an administrator needs to receive messages about the topic; null if no
 * permission is needed.
 */
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

/** The data of a `change` message. Its id is the position of the stream; see `LIVE_POSITION`. */
export const LiveChange = z.object({ topics: z.array(LiveTopic) })
export type LiveChange = z.infer<typeof LiveChange>

export const LIVE_HEARTBEAT_SECONDS = 15

/**
 * The id of a message: the number of the newest event of the first ledger. If the page also shows
 * other ledgers, the numbers of their newest events follow, such as `123,2:45`.
 */
export const LIVE_POSITION = /^(?:\d{1,18}|-1)(?:,\d{1,4}:(?:\d{1,18}|-1)){0,1000}$/

/**
 * Opens a stream of server-sent events. The stream first sends the changes that the client missed.
 * It then sends a `position` message with the number of the newest missed event, and after that
 * each new change. `reload` means that the client missed too many changes. `end` means that the
 * session has ended. With `user`, the stream opens only for this user. The client sends the last id
 * that it received as `after` or in the header `Last-Event-ID`. The header takes precedence.
 */
export const followChanges = declareEndpoint({
  method: 'GET',
  path: '/events',
  access: 'session',
  request: z.strictObject({
    query: z.strictObject({
      user: Id.optional(),
      after: z
        .string()
        .regex(LIVE_POSITION, 'The parameter "after" must be the id of a message')
        .optional(),
    }),
  }),
  response: z.null(),
  answers: 'stream',
  failures: [
    declareFailure(
      409,
      'ANOTHER_USER',
      'Another person is logged in to this browser now. Load the page again.',
    ),
    declareFailure(
      503,
      'TOO_MANY_PAGES',
      'Too many pages are open, so this page is not updated live. It tries again by itself.',
    ),
    ...LEDGER_QUERY_FAILURES,
  ],
})
