import { z } from 'zod'
import { endpoint, NoContent } from './endpoint.ts'
import { noSuch } from './failures.ts'
import { byId, Id, Instant, identity } from './fields.ts'

/** One browser that is signed in. */
export const Session = z.object({
  ...identity,
  /** The one that asks. */
  isCurrent: z.boolean(),
  isRemembered: z.boolean(),
  ip: z.string(),
  userAgent: z.string(),
  createdAt: Instant,
  lastSeenAt: Instant,
  /** At the latest; without use it ends earlier. */
  expiresAt: Instant,
})
export type Session = z.infer<typeof Session>

export const listSessions = endpoint({
  method: 'GET',
  path: '/users/me/sessions',
  access: 'session',
  response: z.object({ sessions: z.array(Session) }),
})

/** How long the session that asks goes on. */
export const SessionLife = z.object({
  /** Until it ends without any use. */
  idleSecondsLeft: z.int().min(0),
  /** Until it ends whatever is done. */
  secondsLeft: z.int().min(0),
})
export type SessionLife = z.infer<typeof SessionLife>

/** Asking is no use of the session, nor is any call with a header `X-Background: true`. */
export const getSessionLife = endpoint({
  method: 'GET',
  path: '/users/me/session',
  access: 'session',
  response: z.object({ session: SessionLife }),
})

/** Somebody is there: the idle time begins anew. */
export const keepSession = endpoint({
  method: 'POST',
  path: '/users/me/session',
  access: 'session',
  response: z.object({ session: SessionLife }),
})

/** All but the one that asks. */
export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/users/me/sessions',
  access: 'session',
  status: 204,
  response: NoContent,
})

export const endSession = endpoint({
  method: 'DELETE',
  path: '/users/me/sessions/:id',
  access: 'session',
  request: byId,
  status: 204,
  response: NoContent,
  failures: [noSuch('session')],
})

/** Where somebody is signed in, for administrators. */
export const listUserSessions = endpoint({
  method: 'GET',
  path: '/users/:id/sessions',
  access: 'admin',
  request: byId,
  response: z.object({ sessions: z.array(Session) }),
  failures: [noSuch('user')],
})

/** By an administrator; 404 when there is no such session of this person. */
export const endUserSession = endpoint({
  method: 'DELETE',
  path: '/users/:id/sessions/:sessionId',
  access: 'admin',
  request: z.strictObject({ params: z.strictObject({ id: Id, sessionId: Id }) }),
  status: 204,
  response: NoContent,
  failures: [noSuch('session')],
})

/** By an administrator: whoever holds the account's sessions logs in again. */
export const revokeUserSessions = endpoint({
  method: 'POST',
  path: '/users/:id/sessions/revoke',
  access: 'admin',
  request: byId,
  status: 204,
  response: NoContent,
  failures: [noSuch('user')],
})
