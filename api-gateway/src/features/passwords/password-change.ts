import { createId } from '@cairn/ledger-contracts'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { createInvalidFieldFailure } from '../../platform/http/failure.ts'
import { queueMail } from '../../platform/mail/outbox.ts'
import { closeSessionsOf } from '../sessions/index.ts'
import type { UserRow } from '../users/index.ts'
import { revokeLinks } from './link-tokens.ts'
import { findPasswordWeakness, hashPassword } from './passwords.ts'

const HOUR_MS = 3_600_000
/**
 * A withdrawal that passed its check before the credential hold began is recorded within this time
 * after the request that began the hold. The time covers the request body, the wait for a password
 * hash and the ledger's answer.
 */
const IN_FLIGHT_MS = 5 * 60_000

/** Returns the hash of a new password. Throws if the password is too weak for this user. */
export async function hashNewPassword(
  { settings }: Pick<Dependencies, 'settings'>,
  user: Pick<UserRow, 'name' | 'email' | 'role' | 'mfa_enabled_at'>,
  { field, password }: { field: string; password: string },
): Promise<string> {
  const { name, email, role } = user
  const isMfaEnabled = user.mfa_enabled_at !== null
  const { general } = await settings.read()
  const context = [name, email, general.siteName]
  const weakness = findPasswordWeakness(password, { context, role, isMfaEnabled })
  if (weakness !== null) throw createInvalidFieldFailure(field, weakness)
  return await hashPassword(password)
}

/** Stores a new password, ends the other sessions and all links, and starts the credential hold. */
export async function setPassword(
  trx: Database,
  deps: Pick<Dependencies, 'seal' | 'settings'>,
  change: { user: UserRow; passwordHash: string; nowMs: number; keptSession: string | null },
): Promise<void> {
  const { user, passwordHash, nowMs, keptSession } = change
  const now = new Date(nowMs)
  await trx
    .updateTable('identity.user')
    .set({
      password_hash: passwordHash,
      password_changed_at: now,
      password_reminder: null,
      is_reset_required: false,
      updated_at: now,
    })
    .where('id', '=', user.id)
    .execute()
  await closeSessionsOf(trx, user.id, { except: keptSession })
  await revokeLinks(trx, user.id)
  await startCredentialHold(trx, deps, { user, nowMs })
  const mail = { kind: 'password-changed', userId: user.id, content: {}, nowMs } as const
  await queueMail(trx, deps.seal, mail)
}

/**
 * Pauses all withdrawals of an investor, even pending withdrawals. The investor then has time to
 * notice a change by another person.
 */
export async function startCredentialHold(
  trx: Database,
  deps: Pick<Dependencies, 'settings'>,
  { user, nowMs }: { user: Pick<UserRow, 'id' | 'role'>; nowMs: number },
): Promise<void> {
  if (user.role !== 'user') return
  const { security } = await deps.settings.read()
  const isPaused = security.credentialHoldHours > 0
  // A new withdrawal is refused while withdrawals are paused. A withdrawal that is recorded in spite
  // of the pause was in flight when the pause began, and must be held like a pending one.
  const untilMs = isPaused ? nowMs + IN_FLIGHT_MS : nowMs
  await requestHold(trx, { userId: user.id, nowMs, untilMs })
  if (!isPaused) return
  const until = new Date(nowMs + security.credentialHoldHours * HOUR_MS)
  await trx
    .updateTable('identity.user')
    .set({ credential_hold_until: sql`greatest(credential_hold_until, ${until})` })
    .where('id', '=', user.id)
    .execute()
}

/**
 * Requests a hold of the user's pending withdrawals that are recorded until `untilMs`. The gateway's
 * worker or the next approval puts the withdrawals on hold.
 */
export async function requestHold(
  trx: Database,
  { userId, nowMs, untilMs = nowMs }: { userId: string; nowMs: number; untilMs?: number },
): Promise<void> {
  await trx
    .insertInto('identity.hold_request')
    .values({ id: createId(nowMs), user_id: userId, created_at: new Date(untilMs) })
    .execute()
}
