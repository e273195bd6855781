import type { MfaMethod } from '@cairn/gateway-contracts'
import { renderSVG } from 'uqr'
import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { createFactorSeal } from '../../platform/keys/seal.ts'
import { lockUser } from '../users/index.ts'
import { countCodeAttempt, endAttemptDelay, notifyIfPaused } from './mfa-tries.ts'
import { countRecoveryCodes, redeemRecoveryCode, replaceRecoveryCodes } from './recovery-codes.ts'
import { createTotpSecret, findTotpStep, toBase32, toOtpAuthUri } from './totp.ts'

const TOTP_CODE = /^\d{6}$/

type FactorDependencies = Pick<Dependencies, 'db' | 'seal' | 'factorKeys' | 'settings'>

/**
 * Creates a secret for an authenticator app. The app becomes a second factor with its first correct
 * code. Throws if the user already has an app as a second factor.
 */
export async function beginTotpSetup(
  deps: FactorDependencies,
  person: { userId: string; email: string; nowMs: number },
): Promise<{ secret: string; uri: string; qr: string }> {
  const { userId, email, nowMs } = person
  const secret = createTotpSecret()
  const { general } = await deps.settings.read()
  const now = new Date(nowMs)
  const sealed = createFactorSeal(deps.factorKeys).seal({ userId, secret: secret.toString('hex') })
  const stored = await deps.db.transaction().execute(async (trx) => {
    await lockUser(trx, userId)
    return await trx
      .insertInto('identity.totp')
      .values({ user_id: userId, sealed, created_at: now })
      .onConflict((conflict) =>
        conflict
          .column('user_id')
          .doUpdateSet({ sealed, last_step: 0, created_at: now })
          .where('identity.totp.enabled_at', 'is', null),
      )
      .returning('user_id')
      .executeTakeFirst()
  })
  if (stored === undefined) throw createAlreadyOnFailure()
  const uri = toOtpAuthUri(secret, { site: general.siteName, email })
  const picture = Buffer.from(renderSVG(uri, { border: 2 })).toString('base64')
  return { secret: toBase32(secret), uri, qr: `data:image/svg+xml;base64,${picture}` }
}

/**
 * Makes the authenticator app a second factor. `sealed` is the secret whose code was verified; null
 * if none was. Returns new recovery codes. Throws if the secret was replaced or removed since, or if
 * an app is a second factor already.
 */
export async function activateTotp(
  trx: Database,
  { userId, sealed, nowMs }: { userId: string; sealed: Buffer | null; nowMs: number },
): Promise<readonly string[]> {
  await lockUser(trx, userId)
  if ((await findTotpSince(trx, userId)) !== null) throw createAlreadyOnFailure()
  const { numUpdatedRows } = await trx
    .updateTable('identity.totp')
    .set({ enabled_at: new Date(nowMs) })
    .where('user_id', '=', userId)
    .where('sealed', '=', sealed)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw createNotSetUpFailure()
  await recordFirstSecondFactor(trx, { userId, nowMs })
  return await replaceRecoveryCodes(trx, userId)
}

/** Removes the authenticator app as a second factor. */
export async function removeTotp(trx: Database, userId: string): Promise<void> {
  await trx.deleteFrom('identity.totp').where('user_id', '=', userId).execute()
  await clearMfaStateIfNoFactor(trx, userId)
}

/** Removes the app, the passkeys and the recovery codes. */
export async function removeSecondFactors(trx: Database, userId: string): Promise<void> {
  // In the order of an activation, which locks the user before the app.
  await lockUser(trx, userId)
  await trx.deleteFrom('identity.totp').where('user_id', '=', userId).execute()
  await trx.deleteFrom('identity.passkey').where('user_id', '=', userId).execute()
  // Wrong codes of the removed factors are deleted, because they must not pause factors that are
  // added later.
  await trx.deleteFrom('identity.mfa_tries').where('user_id', '=', userId).execute()
  await clearMfaStateIfNoFactor(trx, userId)
}

/**
 * Records when the account got its first second factor. Does nothing if the account already has a
 * second factor.
 */
export async function recordFirstSecondFactor(
  trx: Database,
  { userId, nowMs }: { userId: string; nowMs: number },
): Promise<void> {
  await trx
    .updateTable('identity.user')
    .set({ mfa_enabled_at: new Date(nowMs) })
    .where('id', '=', userId)
    .where('mfa_enabled_at', 'is', null)
    .execute()
}

/**
 * Records that the account has no second factor, and deletes its recovery codes. Does nothing if
 * the account still has an app or a passkey.
 */
export async function clearMfaStateIfNoFactor(trx: Database, userId: string): Promise<void> {
  if (await hasSecondFactor(trx, userId)) return
  await trx
    .updateTable('identity.user')
    .set({ mfa_enabled_at: null })
    .where('id', '=', userId)
    .execute()
  await trx.deleteFrom('identity.recovery_code').where('user_id', '=', userId).execute()
}

/** Throws if the account has neither an app nor a passkey. */
export async function requireFactor(db: Database, userId: string): Promise<void> {
  if (!(await hasSecondFactor(db, userId))) throw createNotSetUpFailure()
}

async function hasSecondFactor(db: Database, userId: string): Promise<boolean> {
  const totpSince = await findTotpSince(db, userId)
  return totpSince !== null || (await countPasskeys(db, userId)) > 0
}

/**
 * Returns the time at which the app became a second factor; null if the app is not a second factor.
 */
export async function findTotpSince(db: Database, userId: string): Promise<Date | null> {
  const row = await db
    .selectFrom('identity.totp')
    .select('enabled_at')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.enabled_at ?? null
}

export async function countPasskeys(db: Database, userId: string): Promise<number> {
  const rows = await db
    .selectFrom('identity.passkey')
    .select('id')
    .where('user_id', '=', userId)
    .execute()
  return rows.length
}

/**
 * Returns the methods that a login accepts after the password. The list is empty if the account has
 * no second factor.
 */
export async function listSecondFactors(db: Database, userId: string): Promise<MfaMethod[]> {
  const [totpSince, passkeys, codes] = await Promise.all([
    findTotpSince(db, userId),
    countPasskeys(db, userId),
    countRecoveryCodes(db, userId),
  ])
  const methods: MfaMethod[] = []
  if (passkeys > 0) methods.push('passkey')
  if (totpSince !== null) methods.push('totp')
  if (codes > 0) methods.push('recovery')
  return methods
}

interface CodeProof {
  userId: string
  code: string
  nowMs: number
}

/**
 * Throws unless the code is correct and unused. The attempt is counted before the code is checked.
 */
export async function requireSecondFactor(
  deps: FactorDependencies,
  proof: CodeProof,
): Promise<void> {
  const isTotp = TOTP_CODE.test(proof.code)
  if (!isTotp) await requireFactor(deps.db, proof.userId)
  else if ((await findTotpSince(deps.db, proof.userId)) === null) throw createNotSetUpFailure()
  await requireRightCode(deps, proof)
}

/**
 * Does the same as `requireSecondFactor`, but also accepts the code of an app that is being set up.
 * Returns the sealed secret of the app; null for a recovery code.
 */
export async function requireRightCode(
  deps: FactorDependencies,
  proof: CodeProof,
): Promise<Buffer | null> {
  const { userId, code, nowMs } = proof
  const method = TOTP_CODE.test(code) ? 'totp' : 'recovery'
  const totp = method === 'totp' ? await getTotp(deps.db, userId) : null
  const dayFailures = await countCodeAttempt(deps.db, { userId, method, nowMs })
  const isRight =
    totp === null
      ? await redeemRecoveryCode(deps.db, proof)
      : await redeemTotpCode(deps, { ...proof, ...totp })
  if (isRight) {
    await endAttemptDelay(deps.db, { userId, method, nowMs })
    return totp?.sealed ?? null
  }
  await notifyIfPaused(deps, { userId, method, nowMs, dayFailures })
  throw new HttpFailure(400, 'MFA_CODE_WRONG', 'That code is not right')
}

async function getTotp(
  db: Database,
  userId: string,
): Promise<{ sealed: Buffer; lastStep: number }> {
  const row = await db
    .selectFrom('identity.totp')
    .select(['sealed', 'last_step'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (row === undefined) throw createNotSetUpFailure()
  return { sealed: row.sealed, lastStep: Number(row.last_step) }
}

export function createAlreadyOnFailure(): HttpFailure {
  return new HttpFailure(409, 'MFA_ALREADY_ON', 'Two-factor authentication is on already')
}

function createNotSetUpFailure(): HttpFailure {
  return new HttpFailure(409, 'MFA_NOT_SET_UP', 'Set up the second factor first')
}

async function redeemTotpCode(
  deps: FactorDependencies,
  proof: { userId: string; code: string; nowMs: number; sealed: Buffer; lastStep: number },
): Promise<boolean> {
  const { userId, secret = '' } = createFactorSeal(deps.factorKeys).open(proof.sealed)
  if (userId !== proof.userId) throw new Error('a second factor is in the wrong row')
  const step = findTotpStep(Buffer.from(secret, 'hex'), proof)
  if (step === null) return false
  // Two concurrent requests can use the same code. Only the first of them updates the row.
  const taken = await deps.db
    .updateTable('identity.totp')
    .set({ last_step: step })
    .where('user_id', '=', proof.userId)
    .where('last_step', '<', String(step))
    .returning('user_id')
    .executeTakeFirst()
  return taken !== undefined
}
