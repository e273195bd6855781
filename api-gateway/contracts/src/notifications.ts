import { z } from 'zod'
import { csvEndpoint, endpoint } from './endpoint.ts'
import { byId, Id, Instant, identity, wholeNumber } from './fields.ts'

export const Notification = z.object({
  ...identity,
  /** What it is about: the icon follows from it. */
  kind: z.enum([
    'deposit',
    'withdrawal',
    'transfer',
    'investment',
    'referral',
    'security',
    'review',
  ]),
  title: z.string(),
  body: z.string(),
  /** A page of this site, below `/manage`. */
  link: z.string().nullable(),
  createdAt: Instant,
  readAt: Instant.nullable(),
})
export type Notification = z.infer<typeof Notification>

/** Newest first. */
export const listNotifications = endpoint({
  method: 'GET',
  path: '/users/me/notifications',
  access: 'session',
  request: z.strictObject({
    query: z.strictObject({
      limit: wholeNumber('limit', { min: 1, max: 100 }).default(20),
      /** Only those older than this one. */
      before: Id.optional(),
    }),
  }),
  response: z.object({
    notifications: z.array(Notification),
    meta: z.object({ unread: z.int(), next: Id.nullable() }),
  }),
})

const unread = z.object({ unread: z.int() })

export const readNotification = endpoint({
  method: 'PATCH',
  path: '/users/me/notifications/:id/read',
  access: 'session',
  request: byId,
  response: unread,
})

/** All that there are by now. */
export const readAllNotifications = endpoint({
  method: 'PATCH',
  path: '/users/me/notifications/read',
  access: 'session',
  response: unread,
})

export const exportMyNotifications = csvEndpoint({
  path: '/users/me/notifications.csv',
  access: 'session',
})
