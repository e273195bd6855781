import type { Logger } from 'pino'
import type { Dependencies } from '../../platform/dependencies.ts'
import { createInvalidFieldFailure, HttpFailure } from '../../platform/http/failure.ts'
import { queueMail } from '../../platform/mail/outbox.ts'
import { USER_COLUMNS, type UserRow } from '../users/index.ts'
import {
  type Attempt,
  countLoginAttempt,
  getSessionDeviceId,
  isLocked,
  resetAttemptBudget,
  resetLoginAttempts,
  revertLoginAttempt,
} from './login-attempts.ts'
import { hashPassword, isPassword, needsRehash } from './passwords.ts'

type LoginDependencies = Pick<Dependencies, 'db' | 'seal' | 'settings' | 'rateLimitScale'>

export interface Credentials {
  email: string
  password: string
  deviceId: string | null
  ip: string
  nowMs: number
}

/**
 * Returns the user with this email and password. The failure for an unknown email is the same as
 * for a wrong password.
 */
export async function authenticate(
  deps: LoginDependencies,
  credentials: Credentials,
  log: Logger,
): Promise<UserRow> {
  const { email, password } = credentials
  // A known browser with too many failures counts as an unknown browser. Otherwise a reset of the
  // password could not unlock it, because a reset cannot find the counters of known browsers.
  const isLockedBrowser = credentials.deviceId !== null && (await isLocked(deps.db, credentials))
  const deviceId = isLockedBrowser ? null : credentials.deviceId
  const attempt = await countOpenAttempt(deps, { ...credentials, deviceId })
  const isLastFree = await countLoginAttempt(deps.db, attempt)
  const found = await deps.db
    .selectFrom('identity.user')
    .select([...USER_COLUMNS, 'password_hash'])
    .where('email', '=', email)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  const isRight = await checkPassword(deps, attempt, {
    hash: found?.password_hash ?? null,
    password,
  })
  if (found === undefined || !isRight) {
    // The call does not wait for the mail, so that the response time does not reveal whether the
    // user exists.
    if (found !== undefined && isLastFree) void notifyOwner(deps, found.id, credentials, log)
    throw createWrongCredentialsFailure()
  }
  await resetLoginAttempts(deps.db, attempt)
  if (isLockedBrowser) await resetAttemptBudget(deps.db, credentials)
  if (needsRehash(found.password_hash)) await rehashPassword(deps, found, password)
  const { password_hash: _hash, ...user } = found
  return user
}

export function createWrongCredentialsFailure(): HttpFailure {
  return new HttpFailure(401, 'WRONG_CREDENTIALS', 'Incorrect email or password')
}

/** Throws unless the password of a signed-in user is correct. */
export async function requirePassword(
  deps: LoginDependencies,
  person: { userId: string; email: string; ip: string; nowMs: number },
  given: { field: string; password: string },
): Promise<void> {
  // Wrong passwords in this check are counted separately from wrong passwords in logins, so that
  // failed logins by other people do not block this check.
  const deviceId = getSessionDeviceId(person.userId)
  const attempt = await countOpenAttempt(deps, { ...person, deviceId })
  await countLoginAttempt(deps.db, attempt)
  const { password_hash } = await deps.db
    .selectFrom('identity.user')
    .select('password_hash')
    .where('id', '=', person.userId)
    .executeTakeFirstOrThrow()
  const { password } = given
  if (!(await checkPassword(deps, attempt, { hash: password_hash, password }))) {
    throw createInvalidFieldFailure(given.field, 'This is not your current password')
  }
  await resetLoginAttempts(deps.db, attempt)
}

/** Throws if the state of the account forbids a login, even with a correct password. */
export function requireOpenAccount(user: UserRow): void {
  if (user.status === 'deactivated') {
    throw new HttpFailure(403, 'ACCOUNT_DEACTIVATED', 'Your account is deactivated')
  }
  if (user.status === 'denied') {
    throw new HttpFailure(403, 'ACCOUNT_DENIED', 'Your account was not approved')
  }
  if (user.is_reset_required) {
    const message = 'An administrator asked you to set a new password. We have sent you a link.'
    throw new HttpFailure(403, 'PASSWORD_RESET_REQUIRED', message)
  }
}

/** Checks the password. An attempt that is refused because the server is busy does not count. */
async function checkPassword(
  deps: LoginDependencies,
  attempt: Attempt,
  { hash, password }: { hash: string | null; password: string },
): Promise<boolean> {
  try {
    return await isPassword(hash, password)
  } catch (error) {
    await revertLoginAttempt(deps.db, attempt)
    throw error
  }
}

async function countOpenAttempt(
  deps: LoginDependencies,
  who: { email: string; deviceId: string | null; ip: string; nowMs: number },
): Promise<Attempt> {
  const { security } = await deps.settings.read()
  const { email, deviceId, ip, nowMs } = who
  const failuresFree = security.loginAttempts
  return { email, deviceId, ip, nowMs, failuresFree, scale: deps.rateLimitScale }
}

async function notifyOwner(
  deps: LoginDependencies,
  userId: string,
  { ip, nowMs }: Credentials,
  log: Logger,
): Promise<void> {
  try {
    await queueMail(deps.db, deps.seal, { kind: 'lockout', userId, content: { ip }, nowMs })
  } catch (err) {
    log.warn({ err }, 'mail about failed logins was not queued')
  }
}

async function rehashPassword(
  deps: Pick<Dependencies, 'db'>,
  user: { id: string; password_hash: string },
  password: string,
): Promise<void> {
  await deps.db
    .updateTable('identity.user')
    .set({ password_hash: await hashPassword(password) })
    .where('id', '=', user.id)
    // Does not replace a password that was set in the meantime.
    .where('password_hash', '=', user.password_hash)
    .execute()
}
