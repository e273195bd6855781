import {
  type AdminRole,
  findActiveRoles,
  isGranted,
  type Permission,
} from '@cairn/gateway-contracts'
import type { QueryResponse } from '@cairn/ledger-contracts'
import { sql } from 'kysely'
import { parseGrantedRoles, selectGrantedRoles } from '../../platform/access/granted-roles.ts'
import type { Database, DatabaseTransaction } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { type Caller, requirePermission } from '../../platform/http/caller.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import type { UserRow } from './user.ts'

/**
 * The instant for which roles are checked. Only a role without an end is valid at this instant, so
 * a temporary role does not make anyone the last owner or approver.
 */
const WITHOUT_END_MS = Number.POSITIVE_INFINITY
/** Administrators with this permission are approvers in the ledger. */
export const APPROVER_PERMISSION: Permission = 'transactions.decide'
/**
 * The time to pass to the query `controls`. The query returns sums for the hours before this time,
 * but this file does not use the sums.
 */
const NO_TIME = new Date(0).toISOString()

export type Controls = QueryResponse<'controls'>

/** Reads the approvers and the dual-control mode from the ledger. */
export function readControls({ ledger }: Pick<Dependencies, 'ledger'>): Promise<Controls> {
  return ledger.ask('controls', { now: NO_TIME })
}

/** Returns true if a change that weakens a control needs two people. */
export async function isDualControlRequired(deps: Pick<Dependencies, 'ledger'>): Promise<boolean> {
  return (await readControls(deps)).mode === 'required'
}

/**
 * Lets only one removal of an administrator run at a time. Take this lock before the lock of a user
 * row. If one removal takes the locks in the opposite order, two removals can deadlock.
 */
async function lockRemovals(trx: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('the last administrator'))`.execute(trx)
}

/**
 * Locks the removals and the row. Returns the administrator; null for an investor or an unknown id.
 */
export async function lockAdmin(
  db: Database,
  userId: string,
): Promise<Pick<
  UserRow,
  'id' | 'name' | 'status' | 'mfa_enabled_at' | 'is_reset_required'
> | null> {
  await lockRemovals(db)
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
 * Throws if a change would leave no administrator, no owner or, while dual control is required,
 * fewer than two approvers. Only one such change runs at a time, because two changes at once
 * could each count the administrator whom the other change removes.
 */
export async function requireAdminsLeft(
  trx: DatabaseTransaction,
  deps: Pick<Dependencies, 'ledger'>,
  change: { userId: string; adminId: string; rolesLeft?: readonly AdminRole[] },
): Promise<void> {
  await lockRemovals(trx)
  const active = await trx
    .selectFrom('identity.user')
    .select('id')
    .select(selectGrantedRoles(sql.ref('identity.user.id')).as('roles'))
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .execute()
  const admins = active.map(({ id, roles }) => {
    const granted = findActiveRoles(parseGrantedRoles(roles), WITHOUT_END_MS)
    return {
      id,
      isOwner: granted.some(({ role }) => role === 'owner'),
      mayDecide: granted.some(({ role }) => isGranted(role, APPROVER_PERMISSION)),
    }
  })
  const others = admins.filter(({ id }) => id !== change.userId)
  if (!others.some(({ id }) => id === change.adminId)) {
    const message =
      'This is the last active administrator, or you are no longer an active administrator'
    throw new HttpFailure(409, 'STATUS_CONFLICT', message)
  }
  const removed = admins.find(({ id }) => id === change.userId)
  if (removed === undefined) return
  const rolesLeft = change.rolesLeft ?? []
  const isOwnerLeft = rolesLeft.includes('owner') || others.some(({ isOwner }) => isOwner)
  if (removed.isOwner && !isOwnerLeft) {
    const message = 'This is the last active owner. Make another administrator an owner first.'
    throw new HttpFailure(409, 'STATUS_CONFLICT', message)
  }
  if (rolesLeft.some((role) => isGranted(role, APPROVER_PERMISSION))) return
  const { mode, approvers } = await readControls(deps)
  const canApprove = new Set(
    approvers.filter(({ isActive }) => isActive).map(({ approverId }) => approverId),
  )
  if (mode === 'single' || !canApprove.has(change.userId)) return
  // The ledger can still have an approver whose role is gone, until it is told so.
  if (others.filter(({ id, mayDecide }) => mayDecide && canApprove.has(id)).length >= 2) return
  throw new HttpFailure(409, 'STATUS_CONFLICT', 'At least two approvers must stay active')
}

/** Throws if the user is an administrator and the caller may not control administrators. */
export function requireMayControl(
  user: Pick<UserRow, 'role'>,
  caller: Pick<Caller, 'permissions'>,
): void {
  if (user.role === 'admin') requirePermission(caller, 'admins.control')
}
