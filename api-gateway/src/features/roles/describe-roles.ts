import type { RoleChoice } from '@cairn/gateway-contracts'
import { formatDay } from '../../platform/site-format.ts'

/** Returns text for people, for example "finance, auditor until Dec 31, 2026". */
export function describeRoles(roles: readonly Pick<RoleChoice, 'role' | 'endsAt'>[]): string {
  if (roles.length === 0) return 'None'
  return roles
    .map(({ role, endsAt }) => (endsAt === null ? role : `${role} until ${formatDay(endsAt)}`))
    .join(', ')
}
