import {
  beginPasskeyLogin,
  login,
  loginMfa,
  loginPasskey,
  logout,
  logoutByPost,
  type ParsedRequestOf,
  type ResponseOf,
} from '@cairn/gateway-contracts'
import type { Context } from 'koa'
import type { Logger } from 'pino'
import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import {
  createPasskeyRequiredFailure,
  needsPasskey,
  requireAllowedAddress,
  requireNoMaintenance,
} from '../../platform/http/caller.ts'
import { clearCookie, formatCookieName } from '../../platform/http/cookies.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { issueCsrfToken } from '../../platform/http/pipeline.ts'
import { declareRoute, type Exchange, type Route } from '../../platform/http/registry.ts'
import { readPolicy } from '../../platform/settings-store/policy.ts'
import { listSecondFactors, requireSecondFactor } from '../mfa/index.ts'
import { beginLoginRequest, createPasskeyRefusedFailure, verifyPasskey } from '../passkeys/index.ts'
import {
  authenticate,
  createWrongCredentialsFailure,
  requireOpenAccount,
} from '../passwords/index.ts'
import { sendCodeAtLogin } from '../registration/index.ts'
import {
  closeSession,
  createVisitCookies,
  type Entry,
  NO_FACTOR_USED,
  readSessionToken,
  startSession,
} from '../sessions/index.ts'
import { getUserRow, type UserRow } from '../users/index.ts'
import { requireMailboxProofIfDormant } from './dormant-admin.ts'
import { createLoginExpiredFailure, openChallenge, redeemChallenge } from './login-challenge.ts'

export function createLoginRoutes(deps: Dependencies, log: Logger): readonly Route[] {
  const entry: Entry = { ...deps, cookies: createVisitCookies(deps), log }
  const open = { isOpenInMaintenance: true } as const
  const leave = { rate: 'write', owner: 'own', audit: null, ...open } as const
  return [
    declareRoute(
      login,
      { rate: 'login', owner: 'any', audit: 'user.login', ...open },
      ({ body }, exchange) => logIn(entry, body, exchange),
    ),
    declareRoute(
      loginMfa,
      { rate: 'login', owner: 'own', audit: 'user.login-mfa', ...open },
      ({ body }, exchange) => verifyFactor(entry, body.code, exchange),
    ),
    declareRoute(
      beginPasskeyLogin,
      { rate: 'login', owner: 'any', audit: null, ...open },
      async (_request, exchange) => {
        const browserHash = entry.cookies.issuePasskeyCookie(exchange.ctx)
        const request = { browserHash, purpose: 'login', known: [], nowMs: exchange.nowMs } as const
        return { options: await beginLoginRequest(deps, request) }
      },
    ),
    declareRoute(
      loginPasskey,
      { rate: 'login', owner: 'any', audit: 'user.login-passkey', ...open },
      ({ body }, exchange) => logInWithPasskey(entry, body, exchange),
    ),
    declareRoute(logout, leave, (_request, exchange) => endSession(deps, exchange)),
    declareRoute(logoutByPost, leave, (_request, exchange) => endSession(deps, exchange)),
  ]
}

async function logIn(
  entry: Entry,
  form: ParsedRequestOf<typeof login>['body'],
  exchange: Exchange,
): Promise<ResponseOf<typeof login>> {
  const { ctx, ip, nowMs, attempt } = exchange
  const { email, password } = form
  const deviceId = entry.cookies.readDeviceCookie(ctx, email)
  const credentials = { email, password, deviceId, ip, nowMs }
  const user = await authenticate(entry, credentials, entry.log).catch(async (error: unknown) => {
    // This query also runs for unknown addresses, so that the response time does not reveal which
    // addresses are registered.
    const userId = await findUserId(entry.db, email)
    if (userId !== null) exchange.note({ subject: userId })
    throw error
  })
  exchange.note({ subject: user.id })
  await requireLoginAllowed(entry, user, exchange)
  if (user.email_verified_at === null) {
    const passwordChangedAtMs = user.password_changed_at.getTime()
    const pendingHash = entry.cookies.issuePendingCookie(ctx)
    const request = { userId: user.id, passwordChangedAtMs, pendingHash, nowMs }
    throw createNotVerifiedFailure(await sendCodeAtLogin(entry, request))
  }
  await requireMailboxProofIfDormant(entry, { user, nowMs })
  await attempt({ actor: user.id })
  // After a concurrent change of the password, the given password is no longer correct.
  const createFailure = createWrongCredentialsFailure
  const opened = { user, isRemembered: form.remember ?? false, createFailure }
  if (user.mfa_enabled_at === null) {
    return await startSession(entry, exchange, { ...opened, factors: NO_FACTOR_USED })
  }
  const tokenHash = entry.cookies.issueChallengeCookie(ctx)
  await openChallenge(entry.db, { ...opened, tokenHash, nowMs })
  const methods = await listSecondFactors(entry.db, user.id)
  return { mfa: { required: true, isEnrolled: true, methods } }
}

async function verifyFactor(entry: Entry, code: string, exchange: Exchange) {
  const { ctx, nowMs, note, attempt } = exchange
  const tokenHash = entry.cookies.readChallengeCookie(ctx)
  const challenge = { tokenHash, nowMs }
  const { userId } = await redeemChallenge(entry.db, { ...challenge, isLast: false })
  note({ subject: userId })
  const user = await getUserRow(entry.db, userId)
  await requireLoginAllowed(entry, user, exchange)
  await requireCodeLoginAllowed(entry, user)
  await requireSecondFactor(entry, { userId, code, nowMs })
  // The challenge is deleted only after a correct code, so that a wrong code does not require the
  // password again.
  const { isRemembered } = await redeemChallenge(entry.db, { ...challenge, isLast: true })
  entry.cookies.clearChallengeCookie(ctx)
  await attempt({ actor: userId })
  const factors = { mfaAtMs: nowMs, passkeyAtMs: null }
  const {
    user: entered,
    permissions,
    mfa,
  } = await startSession(entry, exchange, {
    user,
    isRemembered,
    factors,
    createFailure: createLoginExpiredFailure,
  })
  return { user: entered, permissions, mfa }
}

/**
 * Logs a user in with a passkey. The passkey replaces the password and the second factor, because
 * the authenticator verifies its user.
 */
async function logInWithPasskey(
  entry: Entry,
  form: ParsedRequestOf<typeof loginPasskey>['body'],
  exchange: Exchange,
): Promise<ResponseOf<typeof loginPasskey>> {
  const { ctx, nowMs, note, attempt } = exchange
  const browserHash = entry.cookies.readPasskeyCookie(ctx)
  const { credential, remember = false } = form
  const answer = { browserHash, purpose: 'login', credential, userId: null, nowMs } as const
  const { userId, passkeyId } = await verifyPasskey(entry, answer)
  note({ subject: userId, passkey: passkeyId })
  const user = await getUserRow(entry.db, userId)
  await requireLoginAllowed(entry, user, exchange)
  entry.cookies.clearPasskeyCookie(ctx)
  await attempt({ actor: userId })
  const factors = { mfaAtMs: nowMs, passkeyAtMs: nowMs }
  const { user: entered, permissions = [] } = await startSession(entry, exchange, {
    user,
    isRemembered: remember,
    factors,
    createFailure: createPasskeyRefusedFailure,
  })
  if (entered === undefined)
    throw new Error('a second factor was required after a login with a passkey')
  return { user: entered, permissions }
}

/**
 * Throws if the user must log in with a passkey, so that a stolen code cannot replace the passkey.
 */
async function requireCodeLoginAllowed(entry: Entry, { id, role }: UserRow): Promise<void> {
  const policy = await readPolicy(entry.settings)
  const hasPasskey = (await listSecondFactors(entry.db, id)).includes('passkey')
  if (needsPasskey(policy, { role, hasPasskey })) throw createPasskeyRequiredFailure()
}

async function findUserId(db: Database, email: string): Promise<string | null> {
  const row = await db
    .selectFrom('identity.user')
    .select('id')
    .where('email', '=', email)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.id ?? null
}

/**
 * Throws if the login is forbidden by the status of the account, by maintenance or by the client
 * address.
 */
async function requireLoginAllowed(entry: Entry, user: UserRow, { ip }: Exchange): Promise<void> {
  requireOpenAccount(user)
  const policy = await readPolicy(entry.settings)
  requireNoMaintenance(policy, user.role)
  if (user.role === 'admin') requireAllowedAddress(policy, ip)
}

async function endSession(deps: Dependencies, { ctx }: Exchange): Promise<null> {
  const isSecure = deps.publicUrl.startsWith('https:')
  const token = readSessionToken(ctx, isSecure)
  if (token !== null) await closeSession(deps.db, token)
  clearSessionCookies(deps, ctx)
  return null
}

/**
 * Deletes the session cookie, and the data that the browser has stored for this site, so that the
 * next user of the browser finds nothing.
 */
export function clearSessionCookies(deps: Dependencies, ctx: Context): void {
  const isSecure = deps.publicUrl.startsWith('https:')
  clearCookie(ctx, formatCookieName('sid', isSecure), isSecure)
  issueCsrfToken(deps, ctx, null)
  // The other cookies remain. The device cookie grants no access, and the anti-forgery token is
  // new.
  ctx.set('Clear-Site-Data', '"cache", "storage"')
}

function createNotVerifiedFailure(retryAfterSeconds: number): HttpFailure {
  const message = 'Please verify your email address. We have sent you a code.'
  return new HttpFailure(403, 'EMAIL_NOT_VERIFIED', message, { retryAfterSeconds })
}
