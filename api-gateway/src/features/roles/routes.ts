import {
  ADMIN_ROLES,
  type GrantedRole,
  isGranted,
  listRoles,
  PERMISSION_NAMES,
  PERMISSIONS,
  type RoleChoice,
  setUserRoles,
} from '@cairn/gateway-contracts'
import { sql } from 'kysely'
import { parseGrantedRoles, selectGrantedRoles } from '../../platform/access/granted-roles.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { createInvalidFieldFailure, HttpFailure } from '../../platform/http/failure.ts'
import { declareRoute, type Exchange, getCaller, type Route } from '../../platform/http/registry.ts'
import { isChangeNeeded, requestChange, syncApprovers } from '../change-requests/index.ts'
import { announceToAdmins } from '../notifications/index.ts'
import {
  findPersons,
  getUserRow,
  presentUser,
  requireAdminsLeft,
  type UserRow,
} from '../users/index.ts'
import { createRolesChange } from './roles-change.ts'
import { setRoles } from './set-roles.ts'

export function createRoleRoutes(deps: Dependencies): readonly Route[] {
  return [
    declareRoute(listRoles, { rate: 'read', owner: 'any', audit: null }, async () => ({
      permissions: PERMISSION_NAMES.map((name) => {
        const { group, label } = PERMISSIONS[name]
        return { name, group, label, roles: ADMIN_ROLES.filter((role) => isGranted(role, name)) }
      }),
      administrators: [...(await listAdministrators(deps.db))],
    })),
    createSetRolesRoute(deps),
  ]
}

function createSetRolesRoute(deps: Dependencies): Route {
  const options = { rate: 'write', owner: 'any', audit: 'user.set-roles' } as const
  const definition = createRolesChange(deps)
  return declareRoute(
    setUserRoles,
    { ...options, needsFreshFactor: true },
    async ({ params, body }, exchange) => {
      const { nowMs } = exchange
      const { userId: adminId } = getCaller(exchange)
      const user = await getUserRow(deps.db, params.id)
      requireChangeable(user, adminId)
      requireFutureEnds(body.roles, nowMs)
      if (await isChangeNeeded(deps, definition)) {
        // `requireAdminsLeft` runs before the change request is stored, so that no administrator
        // has to decide on a change that would fail.
        const rolesLeft = body.roles.map(({ role }) => role)
        const change = { userId: user.id, adminId, rolesLeft }
        await deps.db.transaction().execute((trx) => requireAdminsLeft(trx, deps, change))
        const payload = { userId: user.id, name: user.name, roles: body.roles }
        const { reason = null } = body
        const proposal = { payload, reason, fields: ['roles'], errors: 'list' } as const
        throw await requestChange(deps, exchange, { definition, proposal })
      }
      const { before, after } = await deps.db
        .transaction()
        .execute((trx) =>
          setRoles(trx, deps, { userId: user.id, adminId, roles: body.roles, nowMs }),
        )
      await syncApprovers(deps)
      exchange.note({ subject: user.id, before, after })
      await announceRoles(deps.db, exchange, { user, after })
      return { user: await presentUser(deps, user) }
    },
  )
}

function requireChangeable(user: UserRow, adminId: string): void {
  if (user.role !== 'admin') {
    throw new HttpFailure(422, 'NO_ADMINISTRATOR', 'Only an administrator can have roles')
  }
  if (user.id === adminId) {
    throw new HttpFailure(409, 'STATUS_CONFLICT', 'You cannot change your own roles')
  }
}

function requireFutureEnds(roles: readonly RoleChoice[], nowMs: number): void {
  const isPast = roles.some(({ endsAt }) => endsAt !== null && Date.parse(endsAt) <= nowMs)
  if (isPast) throw createInvalidFieldFailure('roles', 'The end must be in the future')
}

async function announceRoles(
  db: Database,
  exchange: Exchange,
  { user, after }: { user: UserRow; after: readonly GrantedRole[] },
): Promise<void> {
  await announceToAdmins(db, {
    permission: 'roles.read',
    source: `request/${exchange.requestId}`,
    kind: 'security',
    title: `The roles of ${user.name} were changed`,
    body: `Now: ${after.map(({ role }) => role).join(', ')}. Changed by ${getCaller(exchange).name}.`,
    link: `/manage/admin/users/${user.id}`,
    nowMs: exchange.nowMs,
  })
}

/** Lists the administrators who are not deleted, in the order of their creation. */
async function listAdministrators(db: Database) {
  const rows = await db
    .selectFrom('identity.user')
    .select(['id', 'status'])
    .select(selectGrantedRoles(sql.ref('identity.user.id')).as('roles'))
    .where('role', '=', 'admin')
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const persons = await findPersons(
    db,
    rows.map(({ id }) => id),
  )
  const administrators = rows.flatMap(({ id, status, roles }) => {
    const person = persons.get(id)
    return person === undefined ? [] : [{ ...person, status, roles: [...parseGrantedRoles(roles)] }]
  })
  const owners = administrators.filter(
    ({ status, roles }) => status === 'active' && roles.some(({ role }) => role === 'owner'),
  )
  return administrators.map((one) => ({
    ...one,
    isLastOwner: owners.length === 1 && owners[0]?.id === one.id,
  }))
}
