import {
  login,
  logout,
  logoutByPost,
  RESEND_SECONDS,
  resendCode,
  signUp,
  verifyEmail,
} from '@cairn/gateway-contracts'
import type { Context } from 'koa'
import type { Logger } from 'pino'
import type { Dependencies } from '../dependencies.ts'
import { clearCookie, cookieName, readCookie, setCookie } from '../http/cookies.ts'
import { HttpFailure } from '../http/failure.ts'
import { giveCsrfToken } from '../http/pipeline.ts'
import { type Exchange, type Route, route } from '../http/registry.ts'
import { activateWanted } from './activation.ts'
import { CODE_MINUTES, noPendingCode } from './email-codes.ts'
import { authenticate, requireOpenAccount } from './login.ts'
import { presentUser } from './present-user.ts'
import { closeSession, hashToken, newToken, openSession, readSessionToken } from './sessions.ts'
import { registerUser } from './sign-up.ts'
import type { UserRow } from './user.ts'
import { resendCodeTo, sendCodeAtLogin, verifyMailbox } from './verification.ts'

const PENDING_SECONDS = 24 * 3_600

export function sessionRoutes(deps: Dependencies, log: Logger): readonly Route[] {
  const isSecure = deps.publicUrl.startsWith('https:')
  const pendingName = cookieName('pending', isSecure)
  const readPending = (ctx: Context): Buffer | null => {
    const token = readCookie(ctx.headers.cookie, pendingName)
    return token === null ? null : hashToken(token)
  }
  const givePending = (ctx: Context): Buffer => {
    const token = newToken()
    const life = { isSecure, isHttpOnly: true, maxAgeSeconds: PENDING_SECONDS }
    setCookie(ctx, pendingName, token, life)
    return hashToken(token)
  }
  const endSession = async ({ ctx }: Exchange): Promise<null> => {
    const token = readSessionToken(ctx, isSecure)
    if (token !== null) await closeSession(deps.db, token)
    clearCookie(ctx, cookieName('sid', isSecure), isSecure)
    giveCsrfToken(deps, ctx, null)
    return null
  }

  return [
    route(
      signUp,
      { rate: 'sign-up', owner: 'any', audit: 'user.sign-up' },
      async ({ body }, { ctx, nowMs, note }) => {
        const pendingHash = givePending(ctx)
        const { retryAfterSeconds } = await registerUser(deps, body, { pendingHash, nowMs })
        note({ country: body.country })
        return { email: body.email, retryAfter: retryAfterSeconds, codeMinutes: CODE_MINUTES }
      },
    ),
    route(
      verifyEmail,
      { rate: 'code', owner: 'own', audit: 'user.verify-email' },
      async ({ body }, { ctx, nowMs, requestId }) => {
        const pendingHash = readPending(ctx)
        if (pendingHash === null) throw noPendingCode()
        const proved = await verifyMailbox(deps, { pendingHash, code: body.code, nowMs })
        if (proved.activationError !== null) {
          log.warn({ err: proved.activationError, requestId }, 'activation is left to the worker')
        }
        clearCookie(ctx, pendingName, isSecure)
        return { email: proved.email, status: proved.status }
      },
    ),
    route(
      resendCode,
      { rate: 'code', owner: 'own', audit: null },
      async (_request, { ctx, nowMs }) => {
        const pendingHash = readPending(ctx)
        // Always the same answer: it says nothing about who is registered.
        if (pendingHash === null) return { retryAfter: RESEND_SECONDS }
        const retryAfter = await resendCodeTo(deps, { pendingHash, nowMs })
        return { retryAfter: retryAfter ?? RESEND_SECONDS }
      },
    ),
    route(
      login,
      { rate: 'login', owner: 'any', audit: 'user.login' },
      async ({ body }, exchange) => {
        const { ctx, nowMs } = exchange
        const user = await authenticate(deps, { ...body, nowMs })
        requireOpenAccount(user)
        if (user.email_verified_at === null) {
          const request = { userId: user.id, pendingHash: givePending(ctx), nowMs }
          throw notVerified(await sendCodeAtLogin(deps, request))
        }
        const current = await repairActivation(deps, { user, nowMs, log })
        const presented = await presentUser(deps, current)
        const old = readSessionToken(ctx, isSecure)
        if (old !== null) await closeSession(deps.db, old)
        const isRemembered = body.remember ?? false
        const { id: userId, role } = current
        const session = { userId, role, isRemembered, isSecure, nowMs }
        giveCsrfToken(deps, ctx, await openSession(deps.db, ctx, session))
        exchange.note({ subject: userId })
        return { user: presented }
      },
    ),
    route(logout, { rate: 'write', owner: 'own', audit: null }, (_request, exchange) =>
      endSession(exchange),
    ),
    route(logoutByPost, { rate: 'write', owner: 'own', audit: null }, (_request, exchange) =>
      endSession(exchange),
    ),
  ]
}

function notVerified(retryAfterSeconds: number): HttpFailure {
  const message = 'Please verify your e-mail address. We have sent you a code.'
  return new HttpFailure(403, 'EMAIL_NOT_VERIFIED', message, { retryAfterSeconds })
}

/** An activation that was cut off is tried again when its user comes in. */
async function repairActivation(
  deps: Dependencies,
  { user, nowMs, log }: { user: UserRow; nowMs: number; log: Logger },
): Promise<UserRow> {
  if (user.activation_wanted_at === null || user.status !== 'pending') return user
  try {
    await activateWanted(deps, { userId: user.id, referrerId: user.referrer_id, nowMs })
    return { ...user, status: 'active', activation_wanted_at: null }
  } catch (error) {
    log.warn({ err: error }, 'activation is left to the worker')
    return user
  }
}
