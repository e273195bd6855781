import type { Dependencies } from '../dependencies.ts'
import { HttpFailure } from '../http/failure.ts'
import { countAttempt, forgetAttempts } from './login-attempts.ts'
import { hashPassword, isPassword, needsRehash } from './passwords.ts'
import { USER_COLUMNS, type UserRow } from './user.ts'

/** The user whose e-mail and password these are; one failure for every other reason. */
export async function authenticate(
  deps: Pick<Dependencies, 'db'>,
  credentials: { email: string; password: string; deviceId: string | null; nowMs: number },
): Promise<UserRow> {
  const { email, password, nowMs } = credentials
  await countAttempt(deps.db, credentials, nowMs)
  const found = await deps.db
    .selectFrom('identity.user')
    .select([...USER_COLUMNS, 'password_hash'])
    .where('email', '=', email)
    .executeTakeFirst()
  const isRight = await isPassword(found?.password_hash ?? null, password)
  if (found === undefined || !isRight) {
    throw new HttpFailure(401, 'WRONG_CREDENTIALS', 'Incorrect email or password')
  }
  await forgetAttempts(deps.db, credentials)
  if (needsRehash(found.password_hash)) await rehash(deps, found.id, password)
  const { password_hash: _hash, ...user } = found
  return user
}

/** Who may not come in although the password is right. */
export function requireOpenAccount(user: UserRow): void {
  if (user.status === 'deactivated') {
    throw new HttpFailure(403, 'ACCOUNT_DEACTIVATED', 'Your account is deactivated')
  }
  if (user.status === 'denied') {
    throw new HttpFailure(403, 'ACCOUNT_DENIED', 'Your account was not approved')
  }
}

async function rehash(
  deps: Pick<Dependencies, 'db'>,
  userId: string,
  password: string,
): Promise<void> {
  await deps.db
    .updateTable('identity.user')
    .set({ password_hash: await hashPassword(password) })
    .where('id', '=', userId)
    .execute()
}
