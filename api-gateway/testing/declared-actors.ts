import { ROLES, type Role } from './declared-permissions.ts'
import type { Who } from './test-gateway.ts'

/**
 * The kinds of callers: users with a valid session, users without a session, and administrators who
 * lack a requirement.
 */
export type Actor =
  | Who
  | 'denied'
  | 'deactivated'
  | 'second investor'
  | 'unenrolled admin'
  | 'outside admin'
  | Role

export const USUAL: readonly Actor[] = [
  'anonymous',
  'pending',
  'denied',
  'deactivated',
  'investor',
  'second investor',
  'admin',
]
export const ALL_ACTORS: readonly Actor[] = [
  ...USUAL,
  ...ROLES,
  'unenrolled admin',
  'outside admin',
]

/**
 * The callers that each access admits. The table is not derived from the registry, so a change of
 * access must also be made here.
 */
export const ALLOWED = {
  anyone: ALL_ACTORS,
  arriving: ['pending', 'investor', 'second investor', 'admin', 'unenrolled admin', ...ROLES],
  session: ['pending', 'investor', 'second investor', 'admin', ...ROLES],
  user: ['pending', 'investor', 'second investor'],
  investor: ['investor', 'second investor'],
} as const satisfies Record<string, readonly Actor[]>

export type Access = keyof typeof ALLOWED
