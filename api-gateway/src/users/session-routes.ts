import {
  login,
  logout,
  logoutByPost,
  type ParsedRequestOf,
  type User,
} from '@cairn/gateway-contracts'
import type { Logger } from 'pino'
import type { Dependencies } from '../dependencies.ts'
import { clearCookie, cookieName } from '../http/cookies.ts'
import { HttpFailure } from '../http/failure.ts'
import { giveCsrfToken } from '../http/pipeline.ts'
import { type Exchange, type Route, route } from '../http/registry.ts'
import { activateWanted } from './activation.ts'
import { authenticate, requireOpenAccount } from './login.ts'
import { presentUser } from './present-user.ts'
import { closeSession, openSession, readSessionToken } from './sessions.ts'
import type { UserRow } from './user.ts'
import { sendCodeAtLogin } from './verification.ts'
import { createVisitCookies, type VisitCookies } from './visit-cookies.ts'

export function sessionRoutes(deps: Dependencies, log: Logger): readonly Route[] {
  const cookies = createVisitCookies(deps)
  const leave = { rate: 'write', owner: 'own', audit: null } as const
  return [
    route(
      login,
      { rate: 'login', owner: 'any', audit: 'user.login' },
      async ({ body }, exchange) => ({
        user: await logIn({ ...deps, cookies, log }, body, exchange),
      }),
    ),
    route(logout, leave, (_request, exchange) => endSession(deps, exchange)),
    route(logoutByPost, leave, (_request, exchange) => endSession(deps, exchange)),
  ]
}

async function logIn(
  deps: Dependencies & { cookies: VisitCookies; log: Logger },
  form: ParsedRequestOf<typeof login>['body'],
  { ctx, nowMs, note }: Exchange,
): Promise<User> {
  const { cookies } = deps
  const { email, password } = form
  const isSecure = deps.publicUrl.startsWith('https:')
  const deviceId = cookies.readDevice(ctx, email)
  const found = await authenticate(deps, { email, password, deviceId, nowMs })
  requireOpenAccount(found)
  if (found.email_verified_at === null) {
    const request = { userId: found.id, pendingHash: cookies.givePending(ctx), nowMs }
    throw notVerified(await sendCodeAtLogin(deps, request))
  }
  const user = await repairActivation(deps, { user: found, nowMs })
  const presented = await presentUser(deps, user)
  const old = readSessionToken(ctx, isSecure)
  if (old !== null) await closeSession(deps.db, old)
  const isRemembered = form.remember ?? false
  const session = { userId: user.id, role: user.role, isRemembered, isSecure, nowMs }
  // Rotated with the session that it is bound to.
  giveCsrfToken(deps, ctx, await openSession(deps.db, ctx, session))
  if (deviceId === null) cookies.giveDevice(ctx, email)
  note({ subject: user.id })
  return presented
}

async function endSession(deps: Dependencies, { ctx }: Exchange): Promise<null> {
  const isSecure = deps.publicUrl.startsWith('https:')
  const token = readSessionToken(ctx, isSecure)
  if (token !== null) await closeSession(deps.db, token)
  clearCookie(ctx, cookieName('sid', isSecure), isSecure)
  giveCsrfToken(deps, ctx, null)
  return null
}

function notVerified(retryAfterSeconds: number): HttpFailure {
  const message = 'Please verify your e-mail address. We have sent you a code.'
  return new HttpFailure(403, 'EMAIL_NOT_VERIFIED', message, { retryAfterSeconds })
}

/** An activation that was cut off is tried again when its user comes in. */
async function repairActivation(
  deps: Dependencies & { log: Logger },
  { user, nowMs }: { user: UserRow; nowMs: number },
): Promise<UserRow> {
  if (user.activation_wanted_at === null || user.status !== 'pending') return user
  try {
    await activateWanted(deps, { userId: user.id, referrerId: user.referrer_id, nowMs })
    return { ...user, status: 'active', activation_wanted_at: null }
  } catch (error) {
    deps.log.warn({ err: error }, 'activation is left to the worker')
    return user
  }
}
