import type { Role } from './stored-user.ts'

export const MUST_LOG_IN = 'You must login first'
export const AREAS: Record<Role, string> = { user: '/manage/investor/', admin: '/manage/admin/' }

export function getDashboardPath(role: Role): string {
  return `${AREAS[role]}dashboard`
}

/** Tells whether the role may open the path. The server also checks the role. */
export function isOwnArea(role: Role, pathname: string): boolean {
  return !pathname.startsWith(AREAS[role === 'admin' ? 'user' : 'admin'])
}

export function buildLoginPath(message: string, attempted: string): string {
  return `/users/login?${new URLSearchParams({ message, redirectTo: attempted })}`
}
