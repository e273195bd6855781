import { randomInt } from 'node:crypto'
import { RESEND_SECONDS } from '@cairn/gateway-contracts'
import { formatCounted } from '@cairn/gateway-contracts/counted'
import { createId } from '@cairn/ledger-contracts'
import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { countCodeMail } from '../../platform/mail/code-mails.ts'
import { queueMail } from '../../platform/mail/outbox.ts'

export const CODE_MINUTES = 10
export const TRIES_PER_CODE = 5
export const CODES_PER_DAY = 5
const DAY_MS = 86_400_000

export interface CodeRequest {
  userId: string
  /**
   * SHA-256 of the cookie that was set at the registration. The code is valid only with this
   * cookie.
   */
  pendingHash: Buffer
  nowMs: number
}

type CodeDependencies = Pick<Dependencies, 'seal' | 'sessionKeys' | 'rateLimitScale'>

export interface IssuedCode {
  isSent: boolean
  /** The time until another code can be requested. */
  retryAfterSeconds: number
}

/**
 * Mails a code that replaces the previous code. If the previous code is too recent, or the limit of
 * codes in an hour is reached, sends no mail, and the previous code stays valid.
 */
export async function issueCode(
  trx: DatabaseTransaction,
  deps: CodeDependencies,
  request: CodeRequest & { isSpaced: boolean },
): Promise<IssuedCode> {
  const { userId, pendingHash, nowMs } = request
  // The lock prevents concurrent requests of a user from exceeding the limits.
  const { email } = await trx
    .selectFrom('identity.user')
    .select('email')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const scale = deps.rateLimitScale
  const waitSeconds =
    (await countSecondsToWait(trx, deps, request)) ||
    (await countCodeMail(trx, { address: email, scale, nowMs }))
  if (waitSeconds > 0) return { isSent: false, retryAfterSeconds: waitSeconds }

  await closeCodes(trx, userId, nowMs)
  const id = createId(nowMs)
  const code = String(randomInt(10_000)).padStart(4, '0')
  await trx
    .insertInto('identity.email_code')
    .values({
      id,
      user_id: userId,
      pending_hash: pendingHash,
      code_hmac: deps.sessionKeys.sign(formatTextToSign(id, code)),
      created_at: new Date(nowMs),
      expires_at: new Date(nowMs + CODE_MINUTES * 60_000),
      closed_at: null,
    })
    .execute()
  const content = { code, minutes: String(CODE_MINUTES) }
  await queueMail(trx, deps.seal, { kind: 'verification-code', userId, content, nowMs })
  return { isSent: true, retryAfterSeconds: RESEND_SECONDS }
}

/**
 * Makes the open code valid in the browser in which the user has just entered the correct password.
 */
export async function rebindCode(trx: DatabaseTransaction, request: CodeRequest): Promise<void> {
  await trx
    .updateTable('identity.email_code')
    .set({ pending_hash: request.pendingHash })
    .where('user_id', '=', request.userId)
    .where('closed_at', 'is', null)
    .execute()
}

/** Returns the user of a correct code. The attempt is counted before the code is compared. */
export async function redeemEmailedCode(
  db: Database,
  deps: CodeDependencies,
  attempt: { pendingHash: Buffer; code: string; nowMs: number },
): Promise<{ codeId: string; userId: string }> {
  const now = new Date(attempt.nowMs)
  const latest = await db
    .selectFrom('identity.email_code')
    .select(['id', 'expires_at', 'closed_at'])
    .where('pending_hash', '=', attempt.pendingHash)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (latest === undefined) throw createNoPendingCodeFailure()
  if (latest.closed_at !== null || latest.expires_at <= now) {
    const message = 'This code is no longer valid. Please ask for a new code.'
    throw new HttpFailure(400, 'CODE_EXPIRED', message)
  }
  const tried = await db
    .updateTable('identity.email_code')
    .set({ tries: sql`tries + 1` })
    .where('id', '=', latest.id)
    .where('tries', '<', TRIES_PER_CODE)
    .where('closed_at', 'is', null)
    .returning(['user_id', 'code_hmac', 'tries'])
    .executeTakeFirst()
  if (tried === undefined) throw createCodeLockedFailure()
  if (deps.sessionKeys.verify(formatTextToSign(latest.id, attempt.code), tried.code_hmac)) {
    return { codeId: latest.id, userId: tried.user_id }
  }
  const left = TRIES_PER_CODE - tried.tries
  if (left === 0) throw createCodeLockedFailure()
  const tries = formatCounted(left, 'try', 'tries')
  throw new HttpFailure(400, 'CODE_WRONG', `That code is not right. You have ${tries} left.`)
}

export async function closeCodes(
  trx: DatabaseTransaction,
  userId: string,
  nowMs: number,
): Promise<void> {
  await trx
    .updateTable('identity.email_code')
    .set({ closed_at: new Date(nowMs) })
    .where('user_id', '=', userId)
    .where('closed_at', 'is', null)
    .execute()
}

export function createNoPendingCodeFailure(): HttpFailure {
  const message = 'Please log in with your email and password to get a new code.'
  return new HttpFailure(401, 'NO_PENDING_CODE', message)
}

function createCodeLockedFailure(): HttpFailure {
  const message = 'Too many wrong codes. Please ask for a new code.'
  return new HttpFailure(400, 'CODE_LOCKED', message)
}

async function countSecondsToWait(
  trx: DatabaseTransaction,
  deps: CodeDependencies,
  { userId, nowMs, isSpaced }: CodeRequest & { isSpaced: boolean },
): Promise<number> {
  const sent = await trx
    .selectFrom('identity.email_code')
    .select('created_at')
    .where('user_id', '=', userId)
    .where('created_at', '>', new Date(nowMs - DAY_MS))
    .orderBy('created_at', 'desc')
    .execute()
  const codesMax = Math.max(1, Math.floor(CODES_PER_DAY * deps.rateLimitScale))
  const oldest = sent[codesMax - 1]
  if (oldest !== undefined) return countSecondsUntil(oldest.created_at.getTime() + DAY_MS, nowMs)
  const [newest] = sent
  if (newest === undefined || !isSpaced) return 0
  return countSecondsUntil(newest.created_at.getTime() + RESEND_SECONDS * 1_000, nowMs)
}

function countSecondsUntil(ms: number, nowMs: number): number {
  return Math.max(0, Math.ceil((ms - nowMs) / 1_000))
}

function formatTextToSign(id: string, code: string): string {
  return `email-code!${id}!${code}`
}
