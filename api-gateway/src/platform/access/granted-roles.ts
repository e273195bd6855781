import {
  findActiveRoles,
  GrantedRole,
  isGranted,
  type Permission,
  type RoleChoice,
} from '@cairn/gateway-contracts'
import { type Expression, type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../database/database.ts'

const StoredRoles = z.array(
  z.object({
    role: GrantedRole.shape.role,
    grantedAt: z.iso.datetime({ offset: true }),
    endsAt: z.iso.datetime({ offset: true }).nullable(),
  }),
)

/** Returns the SQL that selects the roles of a user as JSON, for `parseGrantedRoles`. */
export function selectGrantedRoles(userId: Expression<unknown>): RawBuilder<unknown> {
  return sql`(
    select json_agg(json_build_object('role', role, 'grantedAt', granted_at, 'endsAt', ends_at)
      order by granted_at, role)
    from identity.admin_role where user_id = ${userId}
  )`
}

export function parseGrantedRoles(selected: unknown): readonly GrantedRole[] {
  return StoredRoles.parse(selected ?? []).map(({ role, grantedAt, endsAt }) => ({
    role,
    grantedAt: new Date(grantedAt).toISOString(),
    endsAt: endsAt === null ? null : new Date(endsAt).toISOString(),
  }))
}

export async function listGrantedRoles(
  db: Database,
  userId: string,
): Promise<readonly GrantedRole[]> {
  return (await findGrantedRoles(db, [userId])).get(userId) ?? []
}

/** Returns the roles of these users, including ended roles. */
export async function findGrantedRoles(
  db: Database,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, readonly GrantedRole[]>> {
  if (userIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('identity.admin_role')
    .select(['user_id', 'role', 'granted_at', 'ends_at'])
    .where('user_id', 'in', [...userIds])
    .orderBy('granted_at')
    .orderBy('role')
    .execute()
  const granted = rows.map(({ user_id: userId, role, granted_at, ends_at }) => ({
    userId,
    role,
    grantedAt: granted_at.toISOString(),
    endsAt: ends_at?.toISOString() ?? null,
  }))
  return Map.groupBy(granted, ({ userId }) => userId)
}

export interface Holder {
  userId: string
  email: string
}

/** Lists the active administrators who have the permission now, in the order of their ids. */
export async function listHolders(
  db: Database,
  { permission, nowMs }: { permission: Permission; nowMs: number },
): Promise<readonly Holder[]> {
  const rows = await db
    .selectFrom('identity.user')
    .select(['id', 'email'])
    .select(selectGrantedRoles(sql.ref('identity.user.id')).as('roles'))
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .orderBy('id')
    .execute()
  return rows.flatMap(({ id: userId, email, roles }) => {
    const active = findActiveRoles(parseGrantedRoles(roles), nowMs)
    return active.some(({ role }) => isGranted(role, permission)) ? [{ userId, email }] : []
  })
}

/** Stores roles that the administrator does not have yet. */
export async function grantRoles(
  trx: Database,
  grant: { userId: string; roles: readonly RoleChoice[]; grantedBy: string | null; nowMs: number },
): Promise<void> {
  const { userId, roles, grantedBy, nowMs } = grant
  if (roles.length === 0) return
  await trx
    .insertInto('identity.admin_role')
    .values(
      roles.map(({ role, endsAt }) => ({
        user_id: userId,
        role,
        granted_at: new Date(nowMs),
        granted_by: grantedBy,
        ends_at: endsAt === null ? null : new Date(endsAt),
      })),
    )
    .execute()
}
