import {
  disableMfa,
  enableMfa,
  getMfa,
  renewRecoveryCodes,
  setUpMfa,
  stepUp,
} from '@cairn/gateway-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { callerOf, type Exchange, type Route, route } from '../../platform/http/registry.ts'
import { queueMail } from '../../platform/mail/outbox.ts'
import { requirePassword, startCredentialHold } from '../passwords/index.ts'
import { closeSessionsOf, isRemembered, refreshFactor, replaceSession } from '../sessions/index.ts'
import { getUserRow } from '../users/index.ts'
import { activateFactor, beginSetup, removeFactor, requireFactor } from './mfa.ts'
import { countRecoveryCodes, makeRecoveryCodes } from './recovery-codes.ts'

/** Milliseconds after a login in which the password is not required again. */
const FRESH_LOGIN_MS = 600_000

export function createMfaRoutes(deps: Dependencies): readonly Route[] {
  return [
    createReadRoute(deps),
    route(
      setUpMfa,
      { rate: 'write', owner: 'own', audit: 'mfa.set-up' },
      async ({ body }, exchange) => {
        const caller = callerOf(exchange)
        if (caller.isMfaEnabled) throw alreadyOn()
        await requireFreshPassword(deps, exchange, body.password)
        const { userId, email } = caller
        return await beginSetup(deps, { userId, email, nowMs: exchange.nowMs })
      },
    ),
    route(enableMfa, { rate: 'write', owner: 'own', audit: 'mfa.on' }, ({ body }, exchange) =>
      enable(deps, exchange, body.code),
    ),
    route(disableMfa, { rate: 'write', owner: 'own', audit: 'mfa.off' }, ({ body }, exchange) =>
      disable(deps, exchange, body),
    ),
    route(
      stepUp,
      { rate: 'write', owner: 'own', audit: 'mfa.step-up' },
      async ({ body }, exchange) => {
        const { userId, sessionHash } = callerOf(exchange)
        const { nowMs } = exchange
        await requireFactor(deps, { userId, code: body.code, nowMs })
        await refreshFactor(deps.db, { sessionHash, nowMs })
        return null
      },
    ),
    route(
      renewRecoveryCodes,
      { rate: 'write', owner: 'own', audit: 'mfa.renew-recovery-codes' },
      async ({ body }, exchange) => {
        const { userId } = callerOf(exchange)
        await requireBoth(deps, exchange, body)
        const codes = await deps.db
          .transaction()
          .execute((trx) => makeRecoveryCodes(trx, { userId, secret: deps.sessionSecret }))
        return { recoveryCodes: [...codes] }
      },
    ),
  ]
}

function createReadRoute(deps: Pick<Dependencies, 'db' | 'settings'>): Route {
  const options = { rate: 'read', owner: 'own', audit: null } as const
  return route(getMfa, options, async (_request, exchange) => {
    const { userId, role } = callerOf(exchange)
    const [{ mfa_enabled_at }, left, { security }] = await Promise.all([
      getUserRow(deps.db, userId),
      countRecoveryCodes(deps.db, userId),
      deps.settings.read(),
    ])
    const mfa = {
      isEnabled: mfa_enabled_at !== null,
      isRequired: role === 'admin' && security.twoFactorAuth,
      enabledAt: mfa_enabled_at?.toISOString() ?? null,
      recoveryCodesLeft: left,
    }
    return { mfa }
  })
}

async function enable(deps: Dependencies, exchange: Exchange, code: string) {
  const { nowMs } = exchange
  const caller = callerOf(exchange)
  const { userId, sessionHash } = caller
  if (caller.isMfaEnabled) throw alreadyOn()
  await requireFactor(deps, { userId, code, nowMs })
  const remembered = await isRemembered(deps.db, sessionHash)
  const recoveryCodes = await deps.db.transaction().execute(async (trx) => {
    const codes = await activateFactor(trx, deps, { userId, nowMs })
    await closeSessionsOf(trx, userId, { except: sessionHash })
    await queueMail(trx, deps.seal, { kind: 'mfa-on', userId, content: {}, nowMs })
    return codes
  })
  const user = await getUserRow(deps.db, userId)
  await replaceSession(deps, exchange, { user, isRemembered: remembered, isMfaProved: true })
  return { recoveryCodes: [...recoveryCodes] }
}

async function disable(
  deps: Dependencies,
  exchange: Exchange,
  proof: { password: string; code: string },
): Promise<null> {
  const { nowMs } = exchange
  const { userId, role, sessionHash } = callerOf(exchange)
  const { security } = await deps.settings.read()
  if (role === 'admin' && security.twoFactorAuth) {
    const message = 'Administrators need a second factor here: it cannot be switched off'
    throw new HttpFailure(409, 'MFA_IS_REQUIRED', message)
  }
  await requireBoth(deps, exchange, proof)
  await deps.db.transaction().execute(async (trx) => {
    await removeFactor(trx, userId)
    await closeSessionsOf(trx, userId, { except: sessionHash })
    await startCredentialHold(trx, deps, { user: { id: userId, role }, nowMs })
    await queueMail(trx, deps.seal, { kind: 'mfa-off', userId, content: {}, nowMs })
  })
  return null
}

/** Skips the password within that time after the login. */
async function requireFreshPassword(
  deps: Dependencies,
  exchange: Exchange,
  password: string | undefined,
): Promise<void> {
  const caller = callerOf(exchange)
  if (password !== undefined) {
    await requirePassword(deps, personOf(caller, exchange), { field: 'password', password })
  } else if (exchange.nowMs - caller.sessionOpenedAtMs > FRESH_LOGIN_MS) {
    throw new HttpFailure(403, 'PASSWORD_NEEDED', 'Please enter your password')
  }
}

async function requireBoth(
  deps: Dependencies,
  exchange: Exchange,
  proof: { password: string; code: string },
): Promise<void> {
  const caller = callerOf(exchange)
  const given = { field: 'password', password: proof.password }
  await requirePassword(deps, personOf(caller, exchange), given)
  await requireFactor(deps, { userId: caller.userId, code: proof.code, nowMs: exchange.nowMs })
}

function personOf({ userId, email }: Caller, { ip, nowMs }: Exchange) {
  return { userId, email, ip, nowMs }
}

function alreadyOn(): HttpFailure {
  return new HttpFailure(409, 'MFA_ALREADY_ON', 'Two-factor authentication is on already')
}
