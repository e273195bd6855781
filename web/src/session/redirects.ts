import type { Role } from './stored-user.ts'

const AREAS: Record<Role, string> = { user: '/manage/investor/', admin: '/manage/admin/' }

export function dashboardOf(role: Role): string {
  return `${AREAS[role]}dashboard`
}

/** Pages of the other role's area are not shown; the server would refuse their calls anyway. */
export function isOwnArea(role: Role, pathname: string): boolean {
  return !pathname.startsWith(AREAS[role === 'admin' ? 'user' : 'admin'])
}

/** Where a login leads: the attempted page when it is one of this role's own, else the dashboard. */
export function destinationAfterLogin(role: Role, redirectTo: string | null): string {
  return (redirectTo === null ? null : ownPath(role, redirectTo)) ?? dashboardOf(role)
}

export function loginPath(message: string, attempted: string): string {
  return `/users/login?${new URLSearchParams({ message, redirectTo: attempted })}`
}

function ownPath(role: Role, redirectTo: string): string | null {
  if (!redirectTo.startsWith('/')) return null
  // Parsed as a browser would: `//host`, `/\host` and `/manage/../..` all show their true target.
  const here = 'http://here.invalid'
  const url = URL.canParse(redirectTo, here) ? new URL(redirectTo, here) : null
  if (url === null || url.origin !== here) return null
  return url.pathname.startsWith(AREAS[role]) ? `${url.pathname}${url.search}` : null
}
