import { AREAS, dashboardOf } from '../../shared/session/redirects.ts'
import type { Role } from '../../shared/session/stored-user.ts'

/** Where a login leads: the attempted page when it is one of this role's own, else the dashboard. */
export function findLoginDestination(role: Role, redirectTo: string | null): string {
  return (redirectTo === null ? null : findOwnPath(role, redirectTo)) ?? dashboardOf(role)
}

function findOwnPath(role: Role, redirectTo: string): string | null {
  if (!redirectTo.startsWith('/')) return null
  // Parsed as a browser would: `//host`, `/\host` and `/manage/../..` all show their true target.
  const here = 'http://here.invalid'
  const url = URL.canParse(redirectTo, here) ? new URL(redirectTo, here) : null
  if (url === null || url.origin !== here) return null
  return url.pathname.startsWith(AREAS[role]) ? `${url.pathname}${url.search}` : null
}
