import { GrantedRole, RoleChoices } from '@cairn/gateway-contracts'
import { z } from 'zod'
import { listGrantedRoles } from '../../platform/access/granted-roles.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import {
  ADMIN_CHANGE,
  type ChangeDefinition,
  syncApprovers,
  toTextLine,
} from '../change-requests/index.ts'
import { announceToAdmins } from '../notifications/index.ts'
import { lockAdmin } from '../users/index.ts'
import { describeRoles } from './describe-roles.ts'
import { setRoles } from './set-roles.ts'

const RolesPayload = z.strictObject({ userId: z.string(), name: z.string(), roles: RoleChoices })
export type RolesPayload = z.infer<typeof RolesPayload>

/** Creates the definition of the change that replaces the roles of an administrator. */
export function createRolesChange(
  deps: Pick<Dependencies, 'clock' | 'db' | 'ledger'>,
): ChangeDefinition<RolesPayload> {
  return {
    ...ADMIN_CHANGE,
    kind: 'admin-roles',
    payload: RolesPayload,
    permission: { propose: 'roles.write', approve: 'roles.write' },
    getTitle: ({ name, roles }) => `Roles of ${name}: ${describeRoles(roles)}`,
    readBefore: async (db, { userId }) => {
      // Locks the administrator before the roles are read.
      const target = await lockAdmin(db, userId)
      return target === null ? null : await listGrantedRoles(db, userId)
    },
    describeChange: async ({ roles }, before) => [
      toTextLine('Roles', {
        before: describeRoles(z.array(GrantedRole).nullable().parse(before) ?? []),
        after: describeRoles(roles),
      }),
    ],
    execute: async ({ trx, payload, requestId, approvedBy: adminId, nowMs }) => {
      await setRoles(trx, deps, { ...payload, adminId, nowMs })
      await announceToAdmins(trx, {
        permission: 'roles.read',
        source: `change/${requestId}`,
        kind: 'security',
        title: `The roles of ${payload.name} were changed`,
        body: 'Two administrators agreed on the change.',
        link: `/manage/admin/users/${payload.userId}`,
        nowMs,
      })
    },
    finishChange: () => syncApprovers(deps),
  }
}
