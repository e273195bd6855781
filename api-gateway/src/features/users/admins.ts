import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { NO_PASSWORD } from './new-admin.ts'
import type { UserRow } from './user.ts'

/**
 * True if weakening a control needs two people: an approval threshold is set and at least two
 * administrators are active.
 */
export async function isDualControlRequired({
  db,
  ledger,
}: Pick<Dependencies, 'db' | 'ledger'>): Promise<boolean> {
  const { rules } = await ledger.ask('rules', {})
  if (rules.approvalThresholdMinor === null) return false
  const { count } = await db
    .selectFrom('identity.user')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .executeTakeFirstOrThrow()
  return count >= 2
}

/** The administrator, locked in a transaction; null for an investor or an unknown id. */
export async function findAdminTarget(
  db: Database,
  userId: string,
): Promise<Pick<
  UserRow,
  'id' | 'name' | 'status' | 'mfa_enabled_at' | 'is_reset_required'
> | null> {
  const row = await db
    .selectFrom('identity.user')
    .select(['id', 'name', 'status', 'mfa_enabled_at', 'is_reset_required'])
    .where('id', '=', userId)
    .where('role', '=', 'admin')
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

/**
 * Refuses to remove the last administrator and, with a threshold, the last but one who can approve.
 * Removals are serialised, because two concurrent ones could each count the other administrator.
 */
export async function requireAdminsLeft(
  trx: DatabaseTransaction,
  { ledger }: Pick<Dependencies, 'ledger'>,
  change: { userId: string; adminId: string },
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('the last administrator'))`.execute(trx)
  const active = await trx
    .selectFrom('identity.user')
    .select(['id', sql<boolean>`password_hash <> ${NO_PASSWORD}`.as('canApprove')])
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .execute()
  const others = active.filter(({ id }) => id !== change.userId)
  if (!others.some(({ id }) => id === change.adminId)) {
    const message =
      'This is the last active administrator, or you are no longer an active administrator'
    throw new HttpFailure(409, 'STATUS_CONFLICT', message)
  }
  const removed = active.find(({ id }) => id === change.userId)
  // An administrator without a password has never logged in and cannot approve.
  if (removed === undefined || !removed.canApprove) return
  if (others.filter(({ canApprove }) => canApprove).length >= 2) return
  const { rules } = await ledger.ask('rules', {})
  if (rules.approvalThresholdMinor === null) return
  throw new HttpFailure(409, 'STATUS_CONFLICT', 'At least two approvers must stay active')
}
