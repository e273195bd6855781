import { z } from 'zod'
import { declareCsvEndpoint, declareEndpoint, NoContent } from './endpoint.ts'
import { declareNotFound } from './failures.ts'
import { byId, Id, Instant, identity } from './fields.ts'

/** A session of a user in one browser. */
export const Session = z.object({
  ...identity,
  /** True for the session of this request. */
  isCurrent: z.boolean(),
  isRemembered: z.boolean(),
  ip: z.string(),
  userAgent: z.string(),
  createdAt: Instant,
  lastSeenAt: Instant,
  /** The time at which the session ends even if it is in use. An idle session ends earlier. */
  expiresAt: Instant,
})
export type Session = z.infer<typeof Session>

export const listSessions = declareEndpoint({
  method: 'GET',
  path: '/users/me/sessions',
  access: 'session',
  response: z.object({ sessions: z.array(Session) }),
})

/** The remaining time of the caller's session. */
export const SessionLife = z.object({
  /** The number of seconds until the session ends if it is not used. */
  idleSecondsLeft: z.int().min(0),
  /** The number of seconds until the session ends even if it is used. */
  secondsLeft: z.int().min(0),
})
export type SessionLife = z.infer<typeof SessionLife>

/**
 * Returns the remaining time of the session. Neither this call nor a call with the header
 * `X-Background: true` extends the session.
 */
export const getSessionLife = declareEndpoint({
  method: 'GET',
  path: '/users/me/session',
  access: 'session',
  response: z.object({ session: SessionLife }),
})

/** Extends the session by restarting its idle time. */
export const keepSession = declareEndpoint({
  method: 'POST',
  path: '/users/me/session',
  access: 'session',
  response: z.object({ session: SessionLife }),
})

/** Ends all sessions except the caller's. */
export const endOtherSessions = declareEndpoint({
  method: 'DELETE',
  path: '/users/me/sessions',
  access: 'session',
  status: 204,
  response: NoContent,
})

export const endSession = declareEndpoint({
  method: 'DELETE',
  path: '/users/me/sessions/:id',
  access: 'session',
  request: byId,
  status: 204,
  response: NoContent,
  failures: [declareNotFound('session')],
})

/** Lists the sessions of a user, for administrators. */
export const listUserSessions = declareEndpoint({
  method: 'GET',
  path: '/users/:id/sessions',
  permission: 'users.sessions',
  request: byId,
  response: z.object({ sessions: z.array(Session) }),
  failures: [declareNotFound('user')],
})

/**
 * Ends one session of a user, for administrators. Answers 404 if this user has no session with this
 * id.
 */
export const endUserSession = declareEndpoint({
  method: 'DELETE',
  path: '/users/:id/sessions/:sessionId',
  permission: 'users.sessions',
  request: z.strictObject({ params: z.strictObject({ id: Id, sessionId: Id }) }),
  status: 204,
  response: NoContent,
  failures: [declareNotFound('session')],
})

/** Ends all sessions of a user, for administrators. The user must log in again. */
export const revokeUserSessions = declareEndpoint({
  method: 'POST',
  path: '/users/:id/sessions/revoke',
  permission: 'users.sessions',
  request: byId,
  status: 204,
  response: NoContent,
  failures: [declareNotFound('user')],
})

export const exportMySessions = declareCsvEndpoint({
  path: '/users/me/sessions.csv',
  access: 'session',
})

/** The sessions of one user, for administrators. */
export const exportUserSessions = declareCsvEndpoint({
  path: '/users/:id/sessions.csv',
  permission: 'users.sessions',
  request: byId,
  failures: [declareNotFound('user')],
})
