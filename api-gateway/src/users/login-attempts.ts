import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { HttpFailure } from '../http/failure.ts'

/** Failures before each further one costs a delay that doubles from a second to a quarter hour. */
const FREE_FAILURES = 5
const DELAY_SECONDS_MAX = 900
const FORGET_HOURS = 24

/** A browser that has logged in before has its own, so that a stranger cannot lock the owner out. */
export interface Budget {
  email: string
  deviceId: string | null
}

/**
 * Counts a try before its password is looked at, in one statement: racing guesses count each. A
 * right password takes the count back.
 */
export async function countAttempt(db: Database, budget: Budget, nowMs: number): Promise<void> {
  const now = new Date(nowMs)
  const hash = hashOf(budget)
  const { rows } = await sql<{ failures: number }>`
    insert into identity.login_attempt as known (email_hash, failures, next_at, updated_at)
    values (${hash}, 1, ${now}, ${now})
    on conflict (email_hash) do update set
      failures = case
        when known.updated_at < ${now}::timestamptz - ${FORGET_HOURS} * interval '1 hour' then 1
        else least(known.failures + 1, 1000) end,
      next_at = case
        when known.failures + 1 <= ${FREE_FAILURES} then ${now}::timestamptz
        else ${now}::timestamptz + interval '1 second'
          * least(${DELAY_SECONDS_MAX}, power(2, least(known.failures + 1 - ${FREE_FAILURES + 1}, 20)))
        end,
      updated_at = ${now}
    where known.next_at <= ${now}
    returning failures`.execute(db)
  if (rows.length > 0) return
  const waiting = await db
    .selectFrom('identity.login_attempt')
    .select('next_at')
    .where('email_hash', '=', hash)
    .executeTakeFirst()
  const waitMs = (waiting?.next_at.getTime() ?? nowMs) - nowMs
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000))
  const wait = retryAfterSeconds === 1 ? '1 second' : `${retryAfterSeconds} seconds`
  const message = `Too many failed logins. Please wait ${wait}.`
  throw new HttpFailure(429, 'LOGIN_DELAYED', message, { retryAfterSeconds })
}

export async function forgetAttempts(db: Database, budget: Budget): Promise<void> {
  await db.deleteFrom('identity.login_attempt').where('email_hash', '=', hashOf(budget)).execute()
}

function hashOf({ email, deviceId }: Budget): Buffer {
  return createHash('sha256')
    .update(`${email}\0${deviceId ?? ''}`)
    .digest()
}
