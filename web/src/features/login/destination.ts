import { AREAS, getDashboardPath } from '../../shared/session/redirects.ts'
import type { Role } from '../../shared/session/stored-user.ts'

/**
 * Returns the page to open after a login: the requested page if the role may open it, otherwise the
 * dashboard.
 */
export function findLoginDestination(role: Role, redirectTo: string | null): string {
  return (redirectTo === null ? null : findOwnPath(role, redirectTo)) ?? getDashboardPath(role)
}

function findOwnPath(role: Role, redirectTo: string): string | null {
  if (!redirectTo.startsWith('/')) return null
  // Parses the path like a browser, so that the real targets of paths such as `//host`, `/\host`
  // and `/manage/../..` are known.
  const here = 'http://here.invalid'
  const url = URL.canParse(redirectTo, here) ? new URL(redirectTo, here) : null
  if (url === null || url.origin !== here) return null
  return url.pathname.startsWith(AREAS[role]) ? `${url.pathname}${url.search}` : null
}
