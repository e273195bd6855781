import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { failure, LEDGER_ASKED } from './failures.ts'

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
 * Server-sent events: `change` with its topics; `reload` when too much was missed to be told one by
 * one; `end` when the session is over. A comment every 15 seconds shows that the line is alive.
 */
export const followChanges = endpoint({
  method: 'GET',
  path: '/events',
  access: 'session',
  response: z.null(),
  answers: 'stream',
  failures: [
    failure(503, 'TOO_MANY_PAGES', 'Too many pages are open. They reload by themselves.'),
    ...LEDGER_ASKED,
  ],
})
