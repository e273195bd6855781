import type { Access, Role, UserStatus } from '@cairn/gateway-contracts'
import { HttpFailure, notAllowed, notSignedIn } from './failure.ts'

/** Who asks, read again on each request. */
export interface Caller {
  userId: string
  name: string
  email: string
  role: Role
  status: UserStatus
  /** SHA-256 of the session's token, in hex: what the anti-forgery token is bound to. */
  sessionHash: string
}

export const WAITING_FOR_APPROVAL = 'Your account is waiting for approval'

/** Default deny: every way through is written here. */
export function requireAccess(access: Access, caller: Caller | null): void {
  if (access === 'anyone') return
  if (caller === null) throw notSignedIn()
  if (caller.status !== 'active' && caller.status !== 'pending') throw notSignedIn()
  if (access === 'session') return
  if (access === 'admin') {
    if (caller.role === 'admin' && caller.status === 'active') return
    throw notAllowed()
  }
  if (caller.role !== 'user') throw notAllowed()
  if (access === 'user' || caller.status === 'active') return
  throw new HttpFailure(403, 'WAITING_FOR_APPROVAL', WAITING_FOR_APPROVAL)
}
