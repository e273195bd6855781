import { createHash } from 'node:crypto'
import { formatCounted } from '@cairn/gateway-contracts/counted'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { getCustomer } from '../../platform/http/network.ts'

const DELAY_SECONDS_MAX = 900
const FORGET_HOURS = 24
/**
 * A counter that was not used for this number of hours is deleted. The next failure would start
 * such a counter at 1 again, so its value is not needed.
 */
const KEPT_HOURS = 2 * FORGET_HOURS
/**
 * Tolerance for requests that are counted in an order that differs from the order of their times.
 */
const SKEW = '1 hour'
/**
 * After this number of consecutive failures, only a mailed link or a server command unlocks the
 * account.
 */
const FAILURES_MAX = 100
const LOCK_DAYS = 3_650
/**
 * The number of failures without a delay for a client address, as a multiple of the number for one
 * account. Many users may share an address.
 */
const ADDRESS_FACTOR = 10

/**
 * Identifies a counter of failures. A known browser has its own counter, so that failures in other
 * browsers do not lock out the user.
 */
export interface Budget {
  email: string
  deviceId: string | null
}

export interface Attempt extends Budget {
  ip: string
  /**
   * The number of failures without a delay. Each further failure doubles the delay, from one second
   * to 15 minutes.
   */
  failuresFree: number
  /** For a client address, the number of failures without a delay is multiplied by this factor. */
  scale: number
  nowMs: number
}

/**
 * Counts an attempt. Call this function before the password is checked, so that concurrent guesses
 * are all counted. Returns true if this attempt is the last attempt that can fail without a delay.
 */
export async function countLoginAttempt(db: Database, attempt: Attempt): Promise<boolean> {
  const { failuresFree, nowMs } = attempt
  if (attempt.deviceId === null) {
    const free = Math.max(1, Math.floor(failuresFree * ADDRESS_FACTOR * attempt.scale))
    await countAttemptOrRefuse(db, { hash: hashAddress(attempt.ip), free, max: null, nowMs })
  }
  const failures = await countAttemptOrRefuse(db, {
    hash: hashBudgetKey(attempt),
    free: failuresFree,
    max: FAILURES_MAX,
    nowMs,
  })
  return failures === failuresFree
}

/** Subtracts an attempt whose password was not checked because the server was busy. */
export async function revertLoginAttempt(db: Database, attempt: Attempt): Promise<void> {
  await subtractAttempt(db, hashBudgetKey(attempt), attempt.nowMs)
  if (attempt.deviceId === null) await subtractAttempt(db, hashAddress(attempt.ip), attempt.nowMs)
}

/** Resets the counters after a correct password. */
export async function resetLoginAttempts(db: Database, attempt: Attempt): Promise<void> {
  await resetAttemptBudget(db, attempt)
  if (attempt.deviceId !== null) return
  // Only this attempt is subtracted for the address: guesses at other accounts must still count.
  await subtractAttempt(db, hashAddress(attempt.ip), attempt.nowMs)
}

async function subtractAttempt(db: Database, hash: Buffer, nowMs: number): Promise<void> {
  await db
    .updateTable('identity.login_attempt')
    .set({ failures: sql`greatest(failures - 1, 1)`, next_at: new Date(nowMs) })
    .where('email_hash', '=', hash)
    .execute()
}

export async function resetAttemptBudget(db: Database, budget: Budget): Promise<void> {
  await db
    .deleteFrom('identity.login_attempt')
    .where('email_hash', '=', hashBudgetKey(budget))
    .execute()
}

/**
 * Deletes the counters of an account: that of its logins, and that of the calls that ask for the
 * password again. The counters of known browsers cannot be found here. They need no reset, because a
 * login from a locked browser uses the counter of all unknown browsers.
 */
export async function resetAccountAttempts(
  db: Database,
  { userId, email }: { userId: string | null; email: string },
): Promise<void> {
  await resetAttemptBudget(db, { email, deviceId: null })
  if (userId === null) return
  await resetAttemptBudget(db, { email, deviceId: getSessionDeviceId(userId) })
}

/**
 * Returns the key of the counter for the calls of a signed-in user that ask for the password again.
 */
export function getSessionDeviceId(userId: string): string {
  return `session of ${userId}`
}

/**
 * Returns true if only a mailed link or a server command unlocks this counter. A shorter delay is
 * not a lock.
 */
export async function isLocked(
  db: Database,
  { nowMs, ...budget }: Budget & { nowMs: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('identity.login_attempt')
    .select('email_hash')
    .where('email_hash', '=', hashBudgetKey(budget))
    .where('next_at', '>', new Date(nowMs + DELAY_SECONDS_MAX * 1_000))
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes at most `limit` counters that no longer delay a login. Returns their number. */
export async function pruneLoginAttempts(
  db: Database,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<number> {
  const now = new Date(nowMs)
  // The statement repeats the condition, because an attempt may be counted after the subquery has
  // read the row.
  const isForgotten = sql<boolean>`next_at < ${now}::timestamptz
    and updated_at < ${now}::timestamptz - ${KEPT_HOURS} * interval '1 hour'`
  const oldest = db
    .selectFrom('identity.login_attempt')
    .select('email_hash')
    .where(isForgotten)
    .orderBy('updated_at')
    .limit(limit)
  const { numDeletedRows } = await db
    .deleteFrom('identity.login_attempt')
    .where('email_hash', 'in', oldest)
    .where(isForgotten)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

async function countAttemptOrRefuse(
  db: Database,
  budget: { hash: Buffer; free: number; max: number | null; nowMs: number },
): Promise<number> {
  const { hash, free, max, nowMs } = budget
  const now = new Date(nowMs)
  const { rows } = await sql<{ failures: number }>`
    insert into identity.login_attempt as known (email_hash, failures, next_at, updated_at)
    values (${hash}, 1, ${computeDelayEnd(sql`1`, { free, max, now })}, ${now})
    on conflict (email_hash) do update set
      failures = ${computeFailures(now)},
      next_at = ${computeDelayEnd(computeFailures(now), { free, max, now })},
      updated_at = ${now}
    where known.next_at <= ${now}
    returning failures`.execute(db)
  const [row] = rows
  if (row !== undefined) return row.failures
  throw await createDelayFailure(db, hash, nowMs)
}

/** Returns the SQL for the new count. The count is 1 after a day without an attempt. */
function computeFailures(now: Date): RawBuilder<number> {
  return sql`case
    when known.updated_at < ${now}::timestamptz - ${FORGET_HOURS} * interval '1 hour' then 1
    else least(known.failures + 1, 100000) end`
}

function computeDelayEnd(
  failures: RawBuilder<unknown>,
  { free, max, now }: { free: number; max: number | null; now: Date },
): RawBuilder<Date> {
  return sql`case
    when (${failures}) >= ${max ?? 1_000_000} then ${now}::timestamptz + ${LOCK_DAYS} * interval '1 day'
    when (${failures}) < ${free} then ${now}::timestamptz - ${SKEW}::interval
    else ${now}::timestamptz + interval '1 second'
      * least(${DELAY_SECONDS_MAX}, power(2, least((${failures}) - ${free}, 20)))
    end`
}

async function createDelayFailure(db: Database, hash: Buffer, nowMs: number): Promise<HttpFailure> {
  const waiting = await db
    .selectFrom('identity.login_attempt')
    .select('next_at')
    .where('email_hash', '=', hash)
    .executeTakeFirst()
  const waitMs = (waiting?.next_at.getTime() ?? nowMs) - nowMs
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000))
  if (retryAfterSeconds > DELAY_SECONDS_MAX) {
    const message = 'Too many failed logins. Reset your password to log in again.'
    const extra = { retryAfterSeconds: DELAY_SECONDS_MAX }
    return new HttpFailure(429, 'LOGIN_LOCKED', message, extra)
  }
  const wait = formatCounted(retryAfterSeconds, 'second')
  const message = `Too many failed logins. Please wait ${wait}.`
  return new HttpFailure(429, 'LOGIN_DELAYED', message, { retryAfterSeconds })
}

function hashBudgetKey({ email, deviceId }: Budget): Buffer {
  return createHash('sha256')
    .update(`${email}\0${deviceId ?? ''}`)
    .digest()
}

function hashAddress(ip: string): Buffer {
  return createHash('sha256')
    .update(`\0address\0${getCustomer(ip)}`)
    .digest()
}
