import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { failure, LEDGER_ASKED } from './failures.ts'
import { Id } from './fields.ts'

/** What an open page should read again. */
export const LiveTopic = z.enum([
  'balance',
  'transactions',
  'investments',
  'notifications',
  'account',
  'plans',
  'settings',
  /** For administrators: something waits, or waits no more. */
  'queue',
  /** For administrators: the log has grown. */
  'log',
])
export type LiveTopic = z.infer<typeof LiveTopic>

/** The content of each message named `change`; its id is the place in the log. */
export const LiveChange = z.object({ topics: z.array(LiveTopic) })
export type LiveChange = z.infer<typeof LiveChange>

export const LIVE_HEARTBEAT_SECONDS = 15

/**
 * Server-sent events: `change` with its topics; `position` after opening, its id is the newest entry
 * of the log that this stream has taken into account; `reload` when too much was missed to list;
 * `end` when the session is over. A comment every 15 seconds shows that the connection is alive.
 *
 * A client that shares one stream between pages names the person it follows in `user`, so that a
 * stream which is reopened after another login is refused, and the last id it has seen in `after`.
 * A `Last-Event-ID` header goes before `after`.
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
    failure(503, 'TOO_MANY_PAGES', 'Too many pages are open. They reload by themselves.'),
    ...LEDGER_ASKED,
  ],
})
