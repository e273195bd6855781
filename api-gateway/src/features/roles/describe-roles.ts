import type { RoleChoice } from '@cairn/gateway-contracts'

/** Returns text for people, for example "finance, auditor until 2026-12-31". */
export function describeRoles(roles: readonly Pick<RoleChoice, 'role' | 'endsAt'>[]): string {
  if (roles.length === 0) return 'None'
  return roles
    .map(({ role, endsAt }) => (endsAt === null ? role : `${role} until ${endsAt.slice(0, 10)}`))
    .join(', ')
}
