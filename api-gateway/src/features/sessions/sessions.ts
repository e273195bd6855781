import { createHash, randomBytes } from 'node:crypto'
import {
  findActiveRoles,
  listPermissions,
  type Permission,
  type SessionLife,
} from '@cairn/gateway-contracts'
import type { Context } from 'koa'
import { sql } from 'kysely'
import { parseGrantedRoles, selectGrantedRoles } from '../../platform/access/granted-roles.ts'
import { batchLookups } from '../../platform/database/batched.ts'
import { compileQueryOnce } from '../../platform/database/compiled-query.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { formatCookieName, readCookie, setCookie } from '../../platform/http/cookies.ts'

const SECOND_MS = 1_000
const MINUTE_SECONDS = 60
const HOUR_SECONDS = 3_600
const DAY_SECONDS = 86_400
/** Minimum time between two updates of the last use of a session, in milliseconds. */
const TOUCH_AFTER_MS = 60_000

const LIVES = {
  user: { idleSeconds: 30 * MINUTE_SECONDS, absoluteSeconds: 12 * HOUR_SECONDS },
  remembered: { idleSeconds: 30 * DAY_SECONDS, absoluteSeconds: 30 * DAY_SECONDS },
  admin: { idleSeconds: 15 * MINUTE_SECONDS, absoluteSeconds: 8 * HOUR_SECONDS },
} as const

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

export function createToken(): string {
  return randomBytes(32).toString('base64url')
}

export function readSessionToken(ctx: Context, isSecure: boolean): string | null {
  return readCookie(ctx.headers.cookie, formatCookieName('sid', isSecure))
}

/**
 * The times at which the factors were last used in a session; null for a factor that was not used.
 */
export interface FactorUse {
  /** The last use of any second factor, including a passkey. */
  mfaAtMs: number | null
  passkeyAtMs: number | null
}
export const NO_FACTOR_USED: FactorUse = { mfaAtMs: null, passkeyAtMs: null }

/**
 * Returns the times of the factors in the caller's session, for the session that replaces the
 * caller's session.
 */
export function getFactorUse(caller: Caller): FactorUse {
  return { mfaAtMs: caller.mfaProvedAtMs, passkeyAtMs: caller.passkeyProvedAtMs }
}

export interface NewSession {
  userId: string
  role: 'user' | 'admin'
  isRemembered: boolean
  factors: FactorUse
  isSecure: boolean
  nowMs: number
}

/** Stores a session and sets its cookie. Returns the hash of its token, hexadecimal. */
export async function openSession(
  db: Database,
  ctx: Context,
  session: NewSession,
): Promise<string> {
  const { userId, role, isSecure, nowMs } = session
  // An administrator's session never has the longer life of a remembered session.
  const isRemembered = session.isRemembered && role === 'user'
  const life = isRemembered ? LIVES.remembered : LIVES[role]
  const token = createToken()
  const tokenHash = hashToken(token)
  await db
    .deleteFrom('identity.session')
    .where('user_id', '=', userId)
    .where('expires_at', '<', new Date(nowMs))
    .execute()
  await db
    .insertInto('identity.session')
    .values({
      token_hash: tokenHash,
      user_id: userId,
      is_remembered: isRemembered,
      mfa_at: toDate(session.factors.mfaAtMs),
      passkey_at: toDate(session.factors.passkeyAtMs),
      idle_seconds: life.idleSeconds,
      created_at: new Date(nowMs),
      last_seen_at: new Date(nowMs),
      expires_at: new Date(nowMs + life.absoluteSeconds * 1_000),
      ip: ctx.ip,
      user_agent: ctx.get('User-Agent').slice(0, 300),
    })
    .execute()
  const maxAgeSeconds = isRemembered ? life.absoluteSeconds : null
  setCookie(ctx, formatCookieName('sid', isSecure), token, {
    isSecure,
    isHttpOnly: true,
    maxAgeSeconds,
  })
  return tokenHash.toString('hex')
}

function toDate(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms)
}

const findSessions = compileQueryOnce((db, tokenHashes: readonly Buffer[]) =>
  db
    .selectFrom('identity.session as session')
    .innerJoin('identity.user as user', 'user.id', 'session.user_id')
    .select(['user.id', 'user.name', 'user.email', 'user.role', 'user.status'])
    .select(['user.mfa_enabled_at', 'user.password_changed_at'])
    .select(selectGrantedRoles(sql.ref('user.id')).as('roles'))
    .select(['session.last_seen_at', 'session.mfa_at', 'session.passkey_at'])
    .select(
      sql<boolean>`exists (select from identity.passkey where user_id = "user".id)`.as(
        'has_passkey',
      ),
    )
    .select(['session.token_hash', 'session.expires_at', 'session.idle_seconds'])
    .where(sql<boolean>`session.token_hash = any(${tokenHashes})`),
)
const findSession = batchLookups(
  (db: Database, hashes) =>
    findSessions(
      db,
      hashes.map((hash) => Buffer.from(hash, 'hex')),
    ),
  ({ token_hash }) => token_hash.toString('hex'),
)

/**
 * Returns the session with its user; null if the session has ended or the status of the user is
 * neither `pending` nor `active`.
 */
async function findOpenSession(db: Database, sessionHash: string, nowMs: number) {
  const [row] = await findSession(db, sessionHash)
  if (row === undefined) return null
  const { last_seen_at, idle_seconds, expires_at, status } = row
  const endsAtMs = Math.min(expires_at.getTime(), last_seen_at.getTime() + idle_seconds * SECOND_MS)
  return endsAtMs > nowMs && (status === 'pending' || status === 'active') ? row : null
}

/**
 * Returns the user of the session cookie, with the current role and status; null if there is no
 * valid session.
 */
export async function findCaller(
  db: Database,
  session: { token: string | null; nowMs: number; isUse: boolean },
): Promise<Caller | null> {
  const { token, nowMs, isUse } = session
  if (token === null || token.length > 100) return null
  const sessionHash = hashToken(token).toString('hex')
  const row = await findOpenSession(db, sessionHash, nowMs)
  if (row === null) return null
  if (isUse && nowMs - row.last_seen_at.getTime() > TOUCH_AFTER_MS) {
    await db
      .updateTable('identity.session')
      .set({ last_seen_at: new Date(nowMs) })
      .where('token_hash', '=', row.token_hash)
      .execute()
  }
  const { id, name, email, role, status } = row
  const granted = findActiveRoles(parseGrantedRoles(row.roles), nowMs)
  return {
    userId: id,
    name,
    email,
    role,
    roles: granted.map(({ role }) => role),
    permissions: new Set(listPermissions(granted)),
    status,
    sessionHash,
    isMfaEnabled: row.mfa_enabled_at !== null,
    hasPasskey: row.has_passkey,
    isMfaProved: row.mfa_at !== null && row.mfa_enabled_at !== null,
    mfaProvedAtMs: row.mfa_at?.getTime() ?? null,
    passkeyProvedAtMs: row.passkey_at?.getTime() ?? null,
    passwordChangedAtMs: row.password_changed_at.getTime(),
  }
}

/**
 * Returns the permissions of a session; null if the session has ended. The call does not extend the
 * session.
 */
export async function findSessionPermissions(
  db: Database,
  { sessionHash, nowMs }: { sessionHash: string; nowMs: number },
): Promise<ReadonlySet<Permission> | null> {
  const row = await findOpenSession(db, sessionHash, nowMs)
  if (row === null) return null
  return new Set(listPermissions(findActiveRoles(parseGrantedRoles(row.roles), nowMs)))
}

/**
 * Returns two numbers of seconds: the time until the session ends even if it is used, and the time
 * until it ends if it is not used. Returns null if the session has ended.
 */
export async function readSessionLife(
  db: Database,
  { sessionHash, nowMs }: { sessionHash: string; nowMs: number },
): Promise<SessionLife | null> {
  const row = await findOpenSession(db, sessionHash, nowMs)
  if (row === null) return null
  const secondsLeft = Math.floor((row.expires_at.getTime() - nowMs) / SECOND_MS)
  const idleEndsAtMs = row.last_seen_at.getTime() + row.idle_seconds * SECOND_MS
  const idleSecondsLeft = Math.max(0, Math.floor((idleEndsAtMs - nowMs) / SECOND_MS))
  return { secondsLeft, idleSecondsLeft: Math.min(secondsLeft, idleSecondsLeft) }
}

/** Restarts the idle time of a session, even if its last use was stored a moment ago. */
export async function restartIdleTime(
  db: Database,
  { sessionHash, nowMs }: { sessionHash: string; nowMs: number },
): Promise<void> {
  await db
    .updateTable('identity.session')
    .set({ last_seen_at: new Date(nowMs) })
    .where('token_hash', '=', Buffer.from(sessionHash, 'hex'))
    .execute()
}

/** Records that a second factor was used in this session. */
export async function recordStepUp(
  db: Database,
  step: { sessionHash: string; isPasskey: boolean; nowMs: number },
): Promise<void> {
  const { sessionHash, isPasskey } = step
  const now = new Date(step.nowMs)
  await db
    .updateTable('identity.session')
    .set({ mfa_at: now, ...(isPasskey ? { passkey_at: now } : {}) })
    .where('token_hash', '=', Buffer.from(sessionHash, 'hex'))
    .execute()
}

export async function closeSession(db: Database, token: string): Promise<void> {
  await db.deleteFrom('identity.session').where('token_hash', '=', hashToken(token)).execute()
}

/** Ends the sessions of a user, and the logins that wait for a second factor. */
export async function closeSessionsOf(
  db: Database,
  userId: string,
  { except = null }: { except?: string | null } = {},
): Promise<void> {
  await db
    .deleteFrom('identity.session')
    .where('user_id', '=', userId)
    .where('token_hash', '!=', Buffer.from(except ?? '', 'hex'))
    .execute()
  await db.deleteFrom('identity.login_challenge').where('user_id', '=', userId).execute()
}
