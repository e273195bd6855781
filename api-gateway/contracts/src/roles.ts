import { z } from 'zod'
import { CHANGE_FAILURES, changeReason } from './change-failures.ts'
import { declareEndpoint } from './endpoint.ts'
import {
  declareFailure,
  declareNotFound,
  declareStatusConflict,
  LEDGER_QUERY_FAILURES,
} from './failures.ts'
import { idParams } from './fields.ts'
import { AdminRole, GrantedRole, PermissionName, RoleChoices } from './permissions.ts'
import { Person, User, UserStatus } from './users.ts'

/** Lists the permissions with the roles that have them, and the administrators with their roles. */
export const listRoles = declareEndpoint({
  method: 'GET',
  path: '/admin/roles',
  permission: 'roles.read',
  response: z.object({
    permissions: z.array(
      z.object({
        name: PermissionName,
        group: z.string(),
        label: z.string(),
        roles: z.array(AdminRole),
      }),
    ),
    administrators: z.array(
      Person.extend({ status: UserStatus, roles: z.array(GrantedRole), isLastOwner: z.boolean() }),
    ),
  }),
})

/**
 * Replaces the roles of another administrator. The new roles are in force from the next request of
 * that administrator. Unchanged roles keep their `grantedAt`.
 */
export const setUserRoles = declareEndpoint({
  method: 'PUT',
  path: '/users/:id/roles',
  permission: 'roles.write',
  request: z.strictObject({
    params: idParams,
    body: z.strictObject({ roles: RoleChoices, ...changeReason }),
  }),
  response: z.object({ user: User }),
  failures: [
    declareNotFound('user'),
    declareFailure(422, 'NO_ADMINISTRATOR', 'Only an administrator can have roles'),
    declareStatusConflict('You cannot change your own roles'),
    declareStatusConflict(
      'This is the last active administrator, or you are no longer an active administrator',
    ),
    declareStatusConflict(
      'This is the last active owner. Make another administrator an owner first.',
    ),
    declareStatusConflict('At least two approvers must stay active'),
    ...CHANGE_FAILURES,
    ...LEDGER_QUERY_FAILURES,
  ],
})
