import { z } from 'zod'
import { csvEndpoint, endpoint } from './endpoint.ts'
import { Id, Instant, identity, wholeNumber } from './fields.ts'
import { Moment } from './lists.ts'
import { Person } from './users.ts'

/** What somebody did through the gateway; never changed, never removed. */
export const AuditEntry = z.object({
  ...identity,
  at: Instant,
  /** Missing: nobody was signed in. */
  actor: Person.optional(),
  /** Such as `transaction.approve`. */
  action: z.string(),
  /** The id of what was acted on. */
  subject: z.string().nullable(),
  ip: z.string(),
  requestId: z.string(),
  /** The number of the event in the log that it made, if it made one. */
  event: z.string().nullable(),
  /** What was said, before and after. */
  details: z.record(z.string(), z.unknown()),
})
export type AuditEntry = z.infer<typeof AuditEntry>

const filter = {
  actor: Id.optional(),
  /** The whole action, or its beginning up to a dot: `user` or `user.login`. */
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

/** Newest first. */
export const listAudit = endpoint({
  method: 'GET',
  path: '/admin/audit',
  access: 'admin',
  request: z.strictObject({
    query: z.strictObject({
      limit: wholeNumber('limit', { min: 1, max: 500 }).default(50),
      before: Id.optional(),
      ...filter,
    }),
  }),
  response: z.object({
    entries: z.array(AuditEntry),
    meta: z.object({ next: Id.nullable(), actions: z.array(z.string()) }),
  }),
})

export const exportAudit = csvEndpoint({
  path: '/admin/audit.csv',
  access: 'admin',
  request: z.strictObject({ query: z.strictObject(filter) }),
})

export const Activity = z.object({
  ...identity,
  at: Instant,
  action: z.string(),
  ip: z.string(),
  subject: z.string().nullable(),
})
export type Activity = z.infer<typeof Activity>

/** What one's own account did, newest first. */
export const listMyActivity = endpoint({
  method: 'GET',
  path: '/users/me/activity',
  access: 'session',
  request: z.strictObject({
    query: z.strictObject({
      limit: wholeNumber('limit', { min: 1, max: 100 }).default(25),
      before: Id.optional(),
    }),
  }),
  response: z.object({
    activity: z.array(Activity),
    meta: z.object({ next: Id.nullable() }),
  }),
})

export const exportMyActivity = csvEndpoint({ path: '/users/me/activity.csv', access: 'session' })
