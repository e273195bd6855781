import {
  findActiveRoles,
  listPermissions,
  type login,
  type ResponseOf,
} from '@cairn/gateway-contracts'
import type { Logger } from 'pino'
import type { Dependencies } from '../../platform/dependencies.ts'
import { isPasswordExpired } from '../../platform/http/caller.ts'
import type { HttpFailure } from '../../platform/http/failure.ts'
import { issueCsrfToken } from '../../platform/http/pipeline.ts'
import type { Exchange } from '../../platform/http/registry.ts'
import { queueMail } from '../../platform/mail/outbox.ts'
import { readPolicy } from '../../platform/settings-store/policy.ts'
import { activateInvestor, presentUser, type UserRow } from '../users/index.ts'
import { requireSameCredentials } from './same-credentials.ts'
import { closeSession, type FactorUse, openSession, readSessionToken } from './sessions.ts'
import type { VisitCookies } from './visit-cookies.ts'

export type Entry = Dependencies & { cookies: VisitCookies; log: Logger }

/**
 * Opens a session after a complete login. The new session replaces the previous session of the
 * browser. Throws the given failure if the password has changed since `user` was read.
 */
export async function startSession(
  entry: Entry,
  exchange: Exchange,
  proof: {
    user: UserRow
    isRemembered: boolean
    factors: FactorUse
    createFailure: () => HttpFailure
  },
): Promise<ResponseOf<typeof login>> {
  const { ctx, nowMs } = exchange
  const isMfaProved = proof.factors.mfaAtMs !== null
  const user = await repairActivation(entry, { user: proof.user, nowMs })
  const presented = await presentUser(entry, user)
  const passwordChangedAtMs = user.password_changed_at.getTime()
  await replaceSession(entry, exchange, { ...proof, passwordChangedAtMs })
  if (entry.cookies.readDeviceCookie(ctx, user.email) === null) {
    entry.cookies.issueDeviceCookie(ctx, user.email)
    await notifyOfNewDevice(entry, user, exchange)
  }
  const { id } = user
  const last_login_at = new Date(nowMs)
  await entry.db.updateTable('identity.user').set({ last_login_at }).where('id', '=', id).execute()

  const policy = await readPolicy(entry.settings)
  if (user.role === 'admin' && policy.isPasskeyRequired && proof.factors.passkeyAtMs === null) {
    return { mfa: { required: true, isEnrolled: false, methods: ['passkey'] } }
  }
  if (user.role === 'admin' && policy.isAdminMfaRequired && !isMfaProved) {
    return { mfa: { required: true, isEnrolled: false, methods: ['totp'] } }
  }
  const person = {
    isMfaEnabled: user.mfa_enabled_at !== null,
    passwordChangedAtMs,
  }
  const permissions = [...listPermissions(findActiveRoles(presented.roles, nowMs))]
  if (!isPasswordExpired(policy, person, nowMs)) return { user: presented, permissions }
  return { user: presented, permissions, isPasswordExpired: true }
}

/**
 * Opens a new session with a new token, because the rights of the session change. An attacker who
 * set the old token gains nothing (session fixation). `passwordChangedAtMs` belongs to the password
 * that opened the old session or was just checked. If the password has changed since then, throws.
 */
export async function replaceSession(
  deps: Dependencies,
  { ctx, nowMs }: Exchange,
  session: {
    user: Pick<UserRow, 'id' | 'role'>
    passwordChangedAtMs: number
    isRemembered: boolean
    factors: FactorUse
    createFailure?: () => HttpFailure
  },
): Promise<void> {
  const { user, passwordChangedAtMs, isRemembered, factors, createFailure } = session
  const isSecure = deps.publicUrl.startsWith('https:')
  const old = readSessionToken(ctx, isSecure)
  const { id: userId, role } = user
  const opened = { userId, role, isRemembered, factors, isSecure, nowMs }
  const sessionHash = await deps.db.transaction().execute(async (trx) => {
    await requireSameCredentials(trx, { userId, passwordChangedAtMs }, createFailure)
    if (old !== null) await closeSession(trx, old)
    return await openSession(trx, ctx, opened)
  })
  // The new session needs a new anti-forgery token, because a token is bound to its session.
  issueCsrfToken(deps, ctx, sessionHash)
}

/** Mails the user about a login in a new browser. The first login of an account causes no mail. */
async function notifyOfNewDevice(entry: Entry, user: UserRow, exchange: Exchange): Promise<void> {
  if (user.last_login_at === null) return
  const { ctx, ip, nowMs } = exchange
  const content = { ip, browser: ctx.get('User-Agent').slice(0, 200) }
  await queueMail(entry.db, entry.seal, { kind: 'new-login', userId: user.id, content, nowMs })
}

/** Tries an interrupted activation again. Returns the user in the state after this attempt. */
async function repairActivation(
  entry: Entry,
  { user, nowMs }: { user: UserRow; nowMs: number },
): Promise<UserRow> {
  if (user.activation_wanted_at === null || user.status !== 'pending') return user
  try {
    await activateInvestor(entry, { userId: user.id, referrerId: user.referrer_id, nowMs })
    return { ...user, status: 'active', activation_wanted_at: null }
  } catch (error) {
    entry.log.warn({ err: error }, 'activation failed, the worker will retry it')
    return user
  }
}
