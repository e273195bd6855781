import { z } from 'zod'
import { declareCsvEndpoint, declareEndpoint } from './endpoint.ts'
import { byId, createWholeNumberField, Id, Instant, identity } from './fields.ts'

export const Notification = z.object({
  ...identity,
  /** The subject of the notification. The page chooses the icon by this subject. */
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
  /** The link of the notification: a path of this site below `/manage`. */
  link: z.string().nullable(),
  createdAt: Instant,
  readAt: Instant.nullable(),
})
export type Notification = z.infer<typeof Notification>

/** Lists the notifications, newest first. */
export const listNotifications = declareEndpoint({
  method: 'GET',
  path: '/users/me/notifications',
  access: 'session',
  request: z.strictObject({
    query: z.strictObject({
      limit: createWholeNumberField('limit', { min: 1, max: 100 }).default(20),
      /**
       * Cursor pagination: the page contains only notifications older than the notification with
       * this id.
       */
      before: Id.optional(),
    }),
  }),
  response: z.object({
    notifications: z.array(Notification),
    meta: z.object({ unread: z.int(), next: Id.nullable() }),
  }),
})

const unread = z.object({ unread: z.int() })

export const readNotification = declareEndpoint({
  method: 'PATCH',
  path: '/users/me/notifications/:id/read',
  access: 'session',
  request: byId,
  response: unread,
})

/** Marks all current notifications as read. */
export const readAllNotifications = declareEndpoint({
  method: 'PATCH',
  path: '/users/me/notifications/read',
  access: 'session',
  response: unread,
})

export const exportMyNotifications = declareCsvEndpoint({
  path: '/users/me/notifications.csv',
  access: 'session',
})
