import type { AdminRole, Endpoint, Permission, Role, UserStatus } from '@cairn/gateway-contracts'
import type { AllowList } from './allow-list.ts'
import {
  createMissingPermissionFailure,
  createNotAllowedFailure,
  createNotSignedInFailure,
  HttpFailure,
  NEEDS_ADMIN,
  NEEDS_INVESTOR,
} from './failure.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/**
 * The duration of a step-up for administrators, and for every user who changes their own second
 * factors.
 */
const STEP_UP_MINUTES = 5
const MAINTENANCE_RETRY_SECONDS = 60

/** The signed-in user, as read from the database for this request. */
export interface Caller {
  userId: string
  name: string
  email: string
  role: Role
  /** The roles that are in force now; empty for an investor. */
  roles: readonly AdminRole[]
  permissions: ReadonlySet<Permission>
  status: UserStatus
  /** SHA-256 of the session token, hexadecimal. The anti-forgery token is bound to this hash. */
  sessionHash: string
  /** True if the account has a second factor: an app, a passkey or both. */
  isMfaEnabled: boolean
  hasPasskey: boolean
  /** True if the second factor was verified in this session. */
  isMfaProved: boolean
  /** The last time at which a second factor was verified in this session. */
  mfaProvedAtMs: number | null
  /** The last time at which a passkey was verified in this session. */
  passkeyProvedAtMs: number | null
  passwordChangedAtMs: number
}

/** The settings that decide about access, as read for this request. */
export interface Policy {
  isMaintenance: boolean
  /** The addresses from which administrators may use the site. */
  allowList: AllowList
  isAdminMfaRequired: boolean
  /** True if administrators must have a passkey. A code is then not enough. */
  isPasskeyRequired: boolean
  passwordDays: number
  /**
   * The duration of a step-up for an investor's withdrawals. For all other actions, the duration is
   * `STEP_UP_MINUTES`.
   */
  stepUpMinutes: number
}

export const WAITING_FOR_APPROVAL = 'Your account is waiting for approval'

type AccessOf = Pick<Endpoint, 'access' | 'permission'>

/**
 * Throws unless the caller may use the endpoint. This function and `requirePolicy` check all
 * conditions for access.
 */
export function requireAccess({ access, permission }: AccessOf, caller: Caller | null): void {
  if (access === 'anyone') return
  if (caller === null) throw createNotSignedInFailure()
  if (caller.status !== 'active' && caller.status !== 'pending') throw createNotSignedInFailure()
  if (caller.role === 'admin' && permission !== null) requirePermission(caller, permission)
  if (access === 'arriving' || access === 'session') return
  if (access === 'admin') {
    if (caller.role === 'admin' && caller.status === 'active') return
    throw createNotAllowedFailure(NEEDS_ADMIN)
  }
  if (caller.role !== 'user') throw createNotAllowedFailure(NEEDS_INVESTOR)
  if (access === 'user' || caller.status === 'active') return
  throw new HttpFailure(403, 'WAITING_FOR_APPROVAL', WAITING_FOR_APPROVAL)
}

export function requirePermission(
  { permissions }: Pick<Caller, 'permissions'>,
  permission: Permission,
): void {
  if (!permissions.has(permission)) throw createMissingPermissionFailure(permission)
}

/** Throws if the settings forbid an access that the endpoint allows. */
export function requirePolicy(
  policy: Policy,
  request: { access: Endpoint['access']; caller: Caller | null; ip: string; nowMs: number },
): void {
  const { access, caller, ip, nowMs } = request
  if (access === 'anyone' || caller === null) return
  if (caller.role === 'admin') requireAllowedAddress(policy, ip)
  if (access === 'arriving') return
  if (caller.role === 'admin' && policy.isPasskeyRequired && caller.passkeyProvedAtMs === null) {
    throw createPasskeyMissingFailure(caller)
  }
  if (caller.role === 'admin' && policy.isAdminMfaRequired && !caller.isMfaProved) {
    throw createMfaMissingFailure(caller)
  }
  if (isPasswordExpired(policy, caller, nowMs)) {
    const message = 'Your password has expired. Choose a new password to continue.'
    throw new HttpFailure(403, 'PASSWORD_EXPIRED', message)
  }
}

/**
 * Throws if a user with a second factor has not used this factor recently, because the session may
 * be unattended. Users without a second factor pass.
 */
export function requireFreshFactor(
  policy: Policy,
  { caller, nowMs }: { caller: Caller | null; nowMs: number },
): void {
  if (caller === null || !caller.isMfaEnabled) return
  if (caller.role === 'admin') requireRecentFactor(policy, caller, nowMs)
  else requireFactorUse(caller.mfaProvedAtMs, policy.stepUpMinutes, nowMs)
}

/**
 * Throws unless the caller has recently used a second factor. If the settings require a passkey,
 * the second factor must be a passkey.
 */
export function requireRecentFactor(policy: Policy, caller: Caller, nowMs: number): void {
  const isPasskeyNeeded = needsPasskey(policy, caller)
  requireFactorUse(
    isPasskeyNeeded ? caller.passkeyProvedAtMs : caller.mfaProvedAtMs,
    STEP_UP_MINUTES,
    nowMs,
  )
}

/** Returns true if this administrator must use the passkey, because the settings require it. */
export function needsPasskey(policy: Policy, caller: Pick<Caller, 'role' | 'hasPasskey'>): boolean {
  return policy.isPasskeyRequired && caller.role === 'admin' && caller.hasPasskey
}

function requireFactorUse(usedAtMs: number | null, minutes: number, nowMs: number): void {
  if (usedAtMs !== null && nowMs - usedAtMs <= minutes * MINUTE_MS) return
  throw new HttpFailure(403, 'STEP_UP_REQUIRED', 'Please confirm with your second factor')
}

export function requireNoMaintenance(policy: Policy, role: Role | null): void {
  if (!policy.isMaintenance || role === 'admin') return
  const message = 'The site is being maintained. Please come back in a few minutes.'
  const retryAfterSeconds = MAINTENANCE_RETRY_SECONDS
  throw new HttpFailure(503, 'MAINTENANCE', message, { retryAfterSeconds })
}

export function requireAllowedAddress({ allowList }: Policy, ip: string): void {
  if (allowList.isAllowed(ip)) return
  const message = `Administrators cannot work from your address ${ip}`
  throw new HttpFailure(403, 'ADDRESS_NOT_ALLOWED', message)
}

/**
 * Returns true if the user must set a new password. Passwords of users with a second factor do not
 * expire, because the second factor protects better.
 */
export function isPasswordExpired(
  { passwordDays }: Policy,
  person: Pick<Caller, 'isMfaEnabled' | 'passwordChangedAtMs'>,
  nowMs: number,
): boolean {
  if (person.isMfaEnabled) return false
  return nowMs >= person.passwordChangedAtMs + passwordDays * DAY_MS
}

/**
 * Creates the failure for a session in which the required passkey was not used. An administrator
 * who has no passkey must add a passkey, and the access `arriving` permits this.
 */
function createPasskeyMissingFailure({ hasPasskey }: Caller): HttpFailure {
  if (hasPasskey) return createPasskeyRequiredFailure()
  const message = 'Add a passkey first: administrators of this site must use one'
  return new HttpFailure(403, 'PASSKEY_ENROLMENT_REQUIRED', message)
}

export function createPasskeyRequiredFailure(): HttpFailure {
  return new HttpFailure(401, 'PASSKEY_REQUIRED', 'Please log in again with your passkey')
}

function createMfaMissingFailure({ isMfaEnabled }: Caller): HttpFailure {
  if (isMfaEnabled) {
    return new HttpFailure(401, 'MFA_REQUIRED', 'Please log in again with your second factor')
  }
  const message = 'Set up two-factor authentication first: this site requires it for administrators'
  return new HttpFailure(403, 'MFA_ENROLMENT_REQUIRED', message)
}
