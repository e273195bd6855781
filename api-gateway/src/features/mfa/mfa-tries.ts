import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { queueMail } from '../../platform/mail/outbox.ts'

export const MFA_TRIES = 5
export const MFA_WINDOW_SECONDS = 300
/** After this number of wrong codes in a UTC day, the method is paused until the next day. */
export const MFA_DAY_FAILURES = 10
const DAY_MS = 86_400_000

/**
 * Codes of the app and recovery codes are counted separately, so that a pause of one method does
 * not pause the other method.
 */
export type CodeMethod = 'totp' | 'recovery'

export interface CodeTry {
  userId: string
  method: CodeMethod
  nowMs: number
}

const METHOD_NAMES = { totp: 'Codes from your app', recovery: 'Recovery codes' } as const

/**
 * Counts an attempt. Call this function before the code is checked, so that concurrent guesses are
 * all counted. Returns the number of wrong codes of the day, including this attempt.
 */
export async function countCodeAttempt(db: Database, attempt: CodeTry): Promise<number> {
  const { userId, method, nowMs } = attempt
  const now = new Date(nowMs)
  const day = formatDay(nowMs)
  const windowStart = new Date(nowMs - MFA_WINDOW_SECONDS * 1_000)
  const { rows } = await sql<{ day_failures: number }>`
    insert into identity.mfa_tries as known
      (user_id, method, tries, tries_since, day, day_failures)
    values (${userId}, ${method}, 1, ${now}, ${day}, 1)
    on conflict (user_id, method) do update set
      tries = case when known.tries_since <= ${windowStart} then 1 else known.tries + 1 end,
      tries_since = case when known.tries_since <= ${windowStart} or known.tries = 0
        then ${now}::timestamptz else known.tries_since end,
      day = greatest(known.day, ${day}::date),
      day_failures = case when known.day < ${day}::date then 1 else known.day_failures + 1 end
    where (known.tries_since <= ${windowStart} or known.tries < ${MFA_TRIES})
      and (known.day < ${day}::date or known.day_failures < ${MFA_DAY_FAILURES})
    returning day_failures`.execute(db)
  const [row] = rows
  if (row !== undefined) return row.day_failures
  throw await createAttemptFailure(db, attempt)
}

/** Ends the delay after a correct code. Earlier wrong codes of the day remain counted. */
export async function endAttemptDelay(db: Database, { userId, method }: CodeTry): Promise<void> {
  await db
    .updateTable('identity.mfa_tries')
    .set({ tries: 0, day_failures: sql`greatest(day_failures - 1, 0)` })
    .where('user_id', '=', userId)
    .where('method', '=', method)
    .execute()
}

/** Mails the user if this attempt used up the attempts of the day for the method. */
export async function notifyIfPaused(
  deps: Pick<Dependencies, 'db' | 'seal'>,
  attempt: CodeTry & { dayFailures: number },
): Promise<void> {
  const { userId, method, nowMs, dayFailures } = attempt
  if (dayFailures < MFA_DAY_FAILURES) return
  const content = { method: METHOD_NAMES[method], day: formatDay(nowMs + DAY_MS) }
  await queueMail(deps.db, deps.seal, { kind: 'mfa-paused', userId, content, nowMs })
}

async function createAttemptFailure(db: Database, attempt: CodeTry): Promise<HttpFailure> {
  const { userId, method, nowMs } = attempt
  const { tries_since, day_failures } = await db
    .selectFrom('identity.mfa_tries')
    .select(['tries_since', 'day_failures'])
    .where('user_id', '=', userId)
    .where('method', '=', method)
    .executeTakeFirstOrThrow()
  if (day_failures >= MFA_DAY_FAILURES) {
    const day = formatDay(nowMs + DAY_MS)
    const retryAfterSeconds = Math.ceil((Date.parse(day) - nowMs) / 1_000)
    const message = `Too many wrong codes today. Codes are accepted again from ${day} (UTC). Until then, use another second factor.`
    return new HttpFailure(429, 'MFA_PAUSED', message, { retryAfterSeconds })
  }
  const waitMs = tries_since.getTime() + MFA_WINDOW_SECONDS * 1_000 - nowMs
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000))
  const message = `Too many wrong codes. Please wait ${Math.ceil(retryAfterSeconds / 60)} min.`
  return new HttpFailure(429, 'MFA_DELAYED', message, { retryAfterSeconds })
}

function formatDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
