import {
  disableMfa,
  enableMfa,
  getMfa,
  renewRecoveryCodes,
  setUpMfa,
  stepUp,
} from '@cairn/gateway-contracts'
import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { needsPasskey, requireRecentFactor } from '../../platform/http/caller.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { declareRoute, type Exchange, getCaller, type Route } from '../../platform/http/registry.ts'
import { queueMail } from '../../platform/mail/outbox.ts'
import { readPolicy } from '../../platform/settings-store/policy.ts'
import { startCredentialHold } from '../passwords/index.ts'
import { closeSessionsOf, isRemembered, recordStepUp, replaceSession } from '../sessions/index.ts'
import { getUserRow, lockUser } from '../users/index.ts'
import { requireFreshProof, requireOwnPassword } from './fresh-proof.ts'
import {
  activateTotp,
  beginTotpSetup,
  countPasskeys,
  createAlreadyOnFailure,
  findTotpSince,
  removeTotp,
  requireFactor,
  requireRightCode,
  requireSecondFactor,
} from './mfa.ts'
import { countRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts'

export function createMfaRoutes(deps: Dependencies): readonly Route[] {
  return [
    createReadRoute(deps),
    declareRoute(
      setUpMfa,
      { rate: 'write', owner: 'own', audit: 'mfa.set-up' },
      async ({ body }, exchange) => {
        const { userId, email } = getCaller(exchange)
        await requireNoTotp(deps, userId)
        await requireFreshProof(deps, exchange, body.password)
        return await beginTotpSetup(deps, { userId, email, nowMs: exchange.nowMs })
      },
    ),
    declareRoute(
      enableMfa,
      { rate: 'write', owner: 'own', audit: 'mfa.on' },
      ({ body }, exchange) => enableTotp(deps, exchange, body.code),
    ),
    declareRoute(
      disableMfa,
      { rate: 'write', owner: 'own', audit: 'mfa.off' },
      ({ body }, exchange) => disableTotp(deps, exchange, body),
    ),
    declareRoute(
      stepUp,
      { rate: 'write', owner: 'own', audit: 'mfa.step-up' },
      async ({ body }, exchange) => {
        const caller = getCaller(exchange)
        const { userId, sessionHash } = caller
        const { nowMs } = exchange
        if (needsPasskey(await readPolicy(deps.settings), caller))
          throw createPasskeyNeededFailure()
        await requireSecondFactor(deps, { userId, code: body.code, nowMs })
        await recordStepUp(deps.db, { sessionHash, isPasskey: false, nowMs })
        return null
      },
    ),
    declareRoute(
      renewRecoveryCodes,
      { rate: 'write', owner: 'own', audit: 'mfa.renew-recovery-codes' },
      ({ body }, exchange) => renewCodes(deps, exchange, body),
    ),
  ]
}

function createReadRoute(deps: Pick<Dependencies, 'db' | 'settings'>): Route {
  const options = { rate: 'read', owner: 'own', audit: null } as const
  return declareRoute(getMfa, options, async (_request, exchange) => {
    const { userId, role } = getCaller(exchange)
    const [{ mfa_enabled_at }, totpSince, left, { security }] = await Promise.all([
      getUserRow(deps.db, userId),
      findTotpSince(deps.db, userId),
      countRecoveryCodes(deps.db, userId),
      deps.settings.read(),
    ])
    const mfa = {
      isEnabled: totpSince !== null,
      isRequired: role === 'admin' && security.twoFactorAuth,
      enabledAt: totpSince?.toISOString() ?? null,
      hasFactor: mfa_enabled_at !== null,
      recoveryCodesLeft: left,
    }
    return { mfa }
  })
}

async function enableTotp(deps: Dependencies, exchange: Exchange, code: string) {
  const { nowMs } = exchange
  const caller = getCaller(exchange)
  const { userId, role, sessionHash } = caller
  await requireNoTotp(deps, userId)
  const sealed = await requireRightCode(deps, { userId, code, nowMs })
  const remembered = await isRemembered(deps.db, sessionHash)
  const recoveryCodes = await deps.db.transaction().execute(async (trx) => {
    const codes = await activateTotp(trx, { userId, sealed, nowMs })
    await closeSessionsOf(trx, userId, { except: sessionHash })
    await startCredentialHold(trx, deps, { user: { id: userId, role }, nowMs })
    await queueMail(trx, deps.seal, { kind: 'mfa-on', userId, content: {}, nowMs })
    return codes
  })
  await replaceSession(deps, exchange, {
    user: { id: userId, role },
    passwordChangedAtMs: caller.passwordChangedAtMs,
    isRemembered: remembered,
    factors: { mfaAtMs: nowMs, passkeyAtMs: caller.passkeyProvedAtMs },
  })
  return { recoveryCodes: [...recoveryCodes] }
}

async function disableTotp(
  deps: Dependencies,
  exchange: Exchange,
  proof: { password: string; code: string },
): Promise<null> {
  const { nowMs } = exchange
  const { userId, role, sessionHash } = getCaller(exchange)
  await requireFactorLeft(deps, deps.db, { userId, role })
  await requirePasswordAndCode(deps, exchange, proof)
  await deps.db.transaction().execute(async (trx) => {
    // Without the lock, the app and the last passkey could be removed at the same time.
    await lockUser(trx, userId)
    await requireFactorLeft(deps, trx, { userId, role })
    await removeTotp(trx, userId)
    await closeSessionsOf(trx, userId, { except: sessionHash })
    await startCredentialHold(trx, deps, { user: { id: userId, role }, nowMs })
    await queueMail(trx, deps.seal, { kind: 'mfa-off', userId, content: {}, nowMs })
  })
  return null
}

async function renewCodes(
  deps: Dependencies,
  exchange: Exchange,
  proof: { password: string; code?: string | undefined },
) {
  const { nowMs } = exchange
  const { userId, role } = getCaller(exchange)
  await requirePasswordAndCode(deps, exchange, proof)
  const recoveryCodes = await deps.db.transaction().execute(async (trx) => {
    // Without the lock, an account whose last factor is being removed would keep the new codes.
    await lockUser(trx, userId)
    await requireFactor(trx, userId)
    const codes = await replaceRecoveryCodes(trx, userId)
    await startCredentialHold(trx, deps, { user: { id: userId, role }, nowMs })
    await queueMail(trx, deps.seal, { kind: 'recovery-codes-renewed', userId, content: {}, nowMs })
    return codes
  })
  return { recoveryCodes: [...recoveryCodes] }
}

/** Throws if the settings require a second factor and the user has no factor except the app. */
async function requireFactorLeft(
  deps: Pick<Dependencies, 'settings'>,
  db: Database,
  { userId, role }: { userId: string; role: 'user' | 'admin' },
): Promise<void> {
  const { security } = await deps.settings.read()
  if (role !== 'admin' || !security.twoFactorAuth) return
  if ((await countPasskeys(db, userId)) > 0) return
  const message = 'This site requires a second factor for administrators: it cannot be switched off'
  throw new HttpFailure(409, 'MFA_IS_REQUIRED', message)
}

/**
 * Throws unless the password is correct and either the code is correct or a step-up is recent.
 * Administrators who must use a passkey need a recent step-up in addition to the code.
 */
async function requirePasswordAndCode(
  deps: Dependencies,
  exchange: Exchange,
  proof: { password: string; code?: string | undefined },
): Promise<void> {
  const caller = getCaller(exchange)
  const { nowMs } = exchange
  await requireOwnPassword(deps, exchange, proof.password)
  const policy = await readPolicy(deps.settings)
  if (proof.code !== undefined) {
    await requireSecondFactor(deps, { userId: caller.userId, code: proof.code, nowMs })
  }
  // If the settings require a passkey, a code is not enough, because phishing can steal a code.
  if (proof.code === undefined || needsPasskey(policy, caller)) {
    requireRecentFactor(policy, caller, nowMs)
  }
}

async function requireNoTotp(deps: Pick<Dependencies, 'db'>, userId: string): Promise<void> {
  if ((await findTotpSince(deps.db, userId)) !== null) throw createAlreadyOnFailure()
}

function createPasskeyNeededFailure(): HttpFailure {
  const message = 'Please confirm with your passkey: administrators of this site must use one'
  return new HttpFailure(403, 'PASSKEY_NEEDED', message)
}
