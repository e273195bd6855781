import { sql } from 'kysely'
import { renderSVG } from 'uqr'
import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { createSeal } from '../../platform/mail/outbox-seal.ts'
import { makeRecoveryCodes, takeRecoveryCode } from './recovery-codes.ts'
import { createTotpSecret, findTotpStep, toBase32, toOtpAuthUri } from './totp.ts'

export const MFA_TRIES = 5
export const MFA_WINDOW_SECONDS = 300
const TOTP_CODE = /^\d{6}$/

type FactorDependencies = Pick<Dependencies, 'db' | 'sessionSecret' | 'settings'>

/** Creates a secret for the authenticator app. It is active after the first correct code. */
export async function beginSetup(
  deps: FactorDependencies,
  person: { userId: string; email: string; nowMs: number },
): Promise<{ secret: string; uri: string; qr: string }> {
  const { userId, email, nowMs } = person
  const secret = createTotpSecret()
  const { general } = await deps.settings.read()
  const now = new Date(nowMs)
  const sealed = sealOf(deps).seal({ userId, secret: secret.toString('hex') })
  // The attempts stay counted, so that a new secret does not bypass the limit.
  await deps.db
    .insertInto('identity.totp')
    .values({ user_id: userId, sealed, tries_since: now, created_at: now })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ sealed, last_step: 0, created_at: now }),
    )
    .execute()
  const uri = toOtpAuthUri(secret, { site: general.siteName, email })
  const picture = Buffer.from(renderSVG(uri, { border: 2 })).toString('base64')
  return { secret: toBase32(secret), uri, qr: `data:image/svg+xml;base64,${picture}` }
}

/** Activates the second factor and returns the recovery codes. */
export async function activateFactor(
  trx: Database,
  deps: FactorDependencies,
  { userId, nowMs }: { userId: string; nowMs: number },
): Promise<readonly string[]> {
  await trx
    .updateTable('identity.user')
    .set({ mfa_enabled_at: new Date(nowMs) })
    .where('id', '=', userId)
    .execute()
  return await makeRecoveryCodes(trx, { userId, secret: deps.sessionSecret })
}

export async function removeFactor(trx: Database, userId: string): Promise<void> {
  await trx
    .updateTable('identity.user')
    .set({ mfa_enabled_at: null })
    .where('id', '=', userId)
    .execute()
  await trx.deleteFrom('identity.totp').where('user_id', '=', userId).execute()
  await trx.deleteFrom('identity.recovery_code').where('user_id', '=', userId).execute()
}

/** Accepts each code once. It counts an attempt in one statement before it checks the code. */
export async function requireFactor(
  deps: FactorDependencies,
  proof: { userId: string; code: string; nowMs: number },
): Promise<void> {
  const row = await countTry(deps.db, proof)
  const isRight = TOTP_CODE.test(proof.code)
    ? await takeTotp(deps, { ...proof, ...row })
    : await takeRecoveryCode(deps.db, { ...proof, secret: deps.sessionSecret })
  if (!isRight) throw new HttpFailure(400, 'MFA_CODE_WRONG', 'That code is not right')
  await deps.db
    .updateTable('identity.totp')
    .set({ tries: 0 })
    .where('user_id', '=', proof.userId)
    .execute()
}

async function countTry(
  db: Database,
  { userId, nowMs }: { userId: string; nowMs: number },
): Promise<{ sealed: Buffer; lastStep: number }> {
  const now = new Date(nowMs)
  const windowStart = new Date(nowMs - MFA_WINDOW_SECONDS * 1_000)
  const { rows } = await sql<{ sealed: Buffer; last_step: string }>`
    update identity.totp set
      tries = case when tries_since <= ${windowStart} then 1 else tries + 1 end,
      tries_since = case when tries_since <= ${windowStart} or tries = 0 then ${now}::timestamptz
        else tries_since end
    where user_id = ${userId} and (tries_since <= ${windowStart} or tries < ${MFA_TRIES})
    returning sealed, last_step`.execute(db)
  const [row] = rows
  if (row !== undefined) return { sealed: row.sealed, lastStep: Number(row.last_step) }
  const known = await db
    .selectFrom('identity.totp')
    .select('tries_since')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (known === undefined) {
    throw new HttpFailure(409, 'MFA_NOT_SET_UP', 'Set up the second factor first')
  }
  const waitMs = known.tries_since.getTime() + MFA_WINDOW_SECONDS * 1_000 - nowMs
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000))
  const message = `Too many wrong codes. Please wait ${Math.ceil(retryAfterSeconds / 60)} min.`
  throw new HttpFailure(429, 'MFA_DELAYED', message, { retryAfterSeconds })
}

async function takeTotp(
  deps: FactorDependencies,
  proof: { userId: string; code: string; nowMs: number; sealed: Buffer; lastStep: number },
): Promise<boolean> {
  const { userId, secret = '' } = sealOf(deps).open(proof.sealed)
  if (userId !== proof.userId) throw new Error('a second factor is in the wrong row')
  const step = findTotpStep(Buffer.from(secret, 'hex'), proof)
  if (step === null) return false
  // If two requests race with one code, the second one finds the step used.
  const taken = await deps.db
    .updateTable('identity.totp')
    .set({ last_step: step })
    .where('user_id', '=', proof.userId)
    .where('last_step', '<', String(step))
    .returning('user_id')
    .executeTakeFirst()
  return taken !== undefined
}

function sealOf({ sessionSecret }: Pick<Dependencies, 'sessionSecret'>) {
  return createSeal(sessionSecret, 'cairn totp')
}
