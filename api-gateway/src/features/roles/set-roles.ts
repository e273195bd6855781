import { findActiveRoles, type GrantedRole, type RoleChoice } from '@cairn/gateway-contracts'
import { grantRoles, listGrantedRoles } from '../../platform/access/granted-roles.ts'
import type { DatabaseTransaction } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { publishChange } from '../../platform/live/published-change.ts'
import { requireAdminsLeft } from '../users/index.ts'

/**
 * Replaces the roles of an administrator and returns the old and the new roles. Throws if no owner
 * would be left. A role that stays keeps its `grantedAt`, but an ended role is granted again.
 */
export async function setRoles(
  trx: DatabaseTransaction,
  deps: Pick<Dependencies, 'ledger'>,
  change: { userId: string; adminId: string; roles: readonly RoleChoice[]; nowMs: number },
): Promise<{ before: readonly GrantedRole[]; after: readonly GrantedRole[] }> {
  const { userId, adminId, roles, nowMs } = change
  await requireAdminsLeft(trx, deps, {
    userId,
    adminId,
    rolesLeft: roles.map(({ role }) => role),
  })
  const before = await listGrantedRoles(trx, userId)
  const active = findActiveRoles(before, nowMs)
  const kept = roles.filter(({ role }) => active.some((held) => held.role === role))
  const added = roles.filter((choice) => !kept.includes(choice))
  await trx
    .deleteFrom('identity.admin_role')
    .where('user_id', '=', userId)
    .where(({ eb }) => eb.and(kept.map(({ role }) => eb('role', '<>', role))))
    .execute()
  for (const { role, endsAt } of kept) {
    await trx
      .updateTable('identity.admin_role')
      .set({ ends_at: endsAt === null ? null : new Date(endsAt) })
      .where('user_id', '=', userId)
      .where('role', '=', role)
      .execute()
  }
  await grantRoles(trx, { userId, roles: added, grantedBy: adminId, nowMs })
  // Makes the administrator's open pages load their permissions again.
  await publishChange(trx, { topic: 'account', userIds: [userId] })
  return { before, after: await listGrantedRoles(trx, userId) }
}
