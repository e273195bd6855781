import {
  type AdminRole,
  findActiveRoles,
  isGranted,
  type Permission,
} from '@cairn/gateway-contracts'
import { sql } from 'kysely'
import {
  grantedRoles,
  listHolders,
  parseGrantedRoles,
} from '../../platform/access/granted-roles.ts'
import type { DatabaseTransaction } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { type Caller, requirePermission } from '../../platform/http/caller.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { NO_PASSWORD } from './new-admin.ts'
import type { UserRow } from './user.ts'

/** Counts only roles without an end: a role that ends must not be the one that others depend on. */
const WITHOUT_END_MS = Number.POSITIVE_INFINITY

/**
 * True if an approval threshold is set and at least two active administrators have the permission
 * to approve.
 */
export async function isSecondAdminBinding(
  { db, ledger }: Pick<Dependencies, 'db' | 'ledger'>,
  permission: Permission = 'transactions.decide',
): Promise<boolean> {
  const { rules } = await ledger.ask('rules', {})
  if (rules.approvalThresholdMinor === null) return false
  return (await listHolders(db, { permission, nowMs: WITHOUT_END_MS })).length >= 2
}

/**
 * Refuses to remove the last administrator, the last owner and, with a threshold, the last but one
 * who can approve. `rolesLeft` are the roles that the administrator keeps. Removals are serialised, because two concurrent ones could each count the other administrator.
 */
export async function requireAdminsLeft(
  trx: DatabaseTransaction,
  { ledger }: Pick<Dependencies, 'ledger'>,
  change: { userId: string; adminId: string; rolesLeft?: readonly AdminRole[] },
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('the last administrator'))`.execute(trx)
  const active = await trx
    .selectFrom('identity.user')
    .select(['id', sql<boolean>`password_hash <> ${NO_PASSWORD}`.as('hasPassword')])
    .select(grantedRoles(sql.ref('identity.user.id')).as('roles'))
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .execute()
  const admins = active.map(({ id, hasPassword, roles }) => ({
    id,
    ...describeRights(
      findActiveRoles(parseGrantedRoles(roles), WITHOUT_END_MS).map(({ role }) => role),
      hasPassword,
    ),
  }))
  const others = admins.filter(({ id }) => id !== change.userId)
  if (!others.some(({ id }) => id === change.adminId)) {
    const message =
      'This is the last active administrator, or you are no longer an active administrator'
    throw new HttpFailure(409, 'STATUS_CONFLICT', message)
  }
  const removed = admins.find(({ id }) => id === change.userId)
  if (removed === undefined) return
  const left = describeRights(change.rolesLeft ?? [], true)
  if (removed.isOwner && !left.isOwner && !others.some(({ isOwner }) => isOwner)) {
    const message = 'This is the last active owner. Make another administrator an owner first.'
    throw new HttpFailure(409, 'STATUS_CONFLICT', message)
  }
  if (!removed.canApprove || left.canApprove) return
  if (others.filter(({ canApprove }) => canApprove).length >= 2) return
  const { rules } = await ledger.ask('rules', {})
  if (rules.approvalThresholdMinor === null) return
  throw new HttpFailure(409, 'STATUS_CONFLICT', 'At least two approvers must stay active')
}

/** An administrator without a password has never logged in and cannot approve. */
function describeRights(
  roles: readonly AdminRole[],
  hasPassword: boolean,
): { isOwner: boolean; canApprove: boolean } {
  return {
    isOwner: roles.includes('owner'),
    canApprove: hasPassword && roles.some((role) => isGranted(role, 'transactions.decide')),
  }
}

/** Refuses acts on the account of an administrator to callers who may not control administrators. */
export function requireControlOf(
  user: Pick<UserRow, 'role'>,
  caller: Pick<Caller, 'permissions'>,
): void {
  if (user.role === 'admin') requirePermission(caller, 'admins.control')
}
