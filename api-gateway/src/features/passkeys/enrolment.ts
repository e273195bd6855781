import type { NewCredential, Passkey } from '@cairn/gateway-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { type Exchange, getCaller } from '../../platform/http/registry.ts'
import { queueMail } from '../../platform/mail/outbox.ts'
import { recordFirstSecondFactor, replaceRecoveryCodes } from '../mfa/index.ts'
import { startCredentialHold } from '../passwords/index.ts'
import { closeSessionsOf, isRemembered, replaceSession } from '../sessions/index.ts'
import { createPasskeyRefusedFailure, verifyEnrolment } from './ceremonies.ts'
import { redeemChallenge } from './challenges.ts'
import { insertPasskey, toPasskey } from './passkey.ts'
import { getRelyingParty } from './relying-party.ts'

/**
 * Adds a passkey. If the passkey is the first second factor, the account gets recovery codes,
 * because the user can lose the passkey.
 */
export async function enrolPasskey(
  deps: Dependencies,
  exchange: Exchange,
  form: { name: string; credential: NewCredential },
): Promise<{ passkey: Passkey; recoveryCodes: readonly string[] | null }> {
  const { nowMs } = exchange
  const { userId, role, sessionHash, isMfaEnabled, passwordChangedAtMs } = getCaller(exchange)
  const browserHash = Buffer.from(sessionHash, 'hex')
  const challenge = await redeemChallenge(deps.db, { browserHash, purpose: 'enrol', nowMs })
  const { name, credential } = form
  const verified = await verifyEnrolment(getRelyingParty(deps.publicUrl), { credential, challenge })
  const transports = credential.response.transports ?? []
  const remembered = await isRemembered(deps.db, sessionHash)
  const added = await deps.db.transaction().execute(async (trx) => {
    const row = await insertPasskey(trx, { ...verified, userId, name, transports, nowMs })
    if (row === null) throw createPasskeyRefusedFailure()
    await recordFirstSecondFactor(trx, { userId, nowMs })
    const recoveryCodes = isMfaEnabled ? null : await replaceRecoveryCodes(trx, userId)
    await closeSessionsOf(trx, userId, { except: sessionHash })
    await startCredentialHold(trx, deps, { user: { id: userId, role }, nowMs })
    const content = { passkey: name }
    await queueMail(trx, deps.seal, { kind: 'passkey-added', userId, content, nowMs })
    return { passkey: toPasskey(row), recoveryCodes }
  })
  await replaceSession(deps, exchange, {
    user: { id: userId, role },
    passwordChangedAtMs,
    isRemembered: remembered,
    // The session counts as verified, because the authenticator has just verified its user.
    factors: { mfaAtMs: nowMs, passkeyAtMs: nowMs },
  })
  return added
}
