import { type ChangeKind, isWeakened } from '@cairn/gateway-contracts'
import type { AuditRow } from '@cairn/ledger-contracts/proof'
import { ATTEMPTED, SUCCESS } from '../../platform/http/audit.ts'
import { ACCESS_REFUSED } from '../../platform/http/pipeline.ts'

/** The kinds of security events. The log stream, the metric and the alert rules use these names. */
export const SECURITY_KINDS = [
  'login',
  'login-failed',
  'lockout',
  'access-refused',
  'step-up-required',
  'step-up',
  'step-up-failed',
  'approval',
  'reversal',
  'settings-changed',
  'control-weakened',
  'administrator-added',
  'roles-changed',
  'export',
  'break-glass',
  'act',
  'act-failed',
] as const
export type SecurityKind = (typeof SECURITY_KINDS)[number]

/** The kinds that are mailed to every administrator. */
export const MAILED_KINDS: ReadonlySet<SecurityKind> = new Set([
  'administrator-added',
  'break-glass',
  'control-weakened',
  'settings-changed',
])

const LOGINS = new Set(['user.login', 'user.login-mfa', 'user.login-passkey'])
const STEP_UPS = new Set(['mfa.step-up', 'passkey.step-up'])
const LOCKOUTS = new Set(['LOGIN_DELAYED', 'LOGIN_LOCKED', 'MFA_DELAYED', 'MFA_PAUSED'])
const APPROVALS = new Set(['transaction.approve', 'change.approve'])
const DECISIONS = new Set(['transaction.approve', 'transaction.decline'])
// The kind of security event for a carried-out change request, by the kind of change. A stored
// change of settings always weakens a control, because only such a change needs a request.
const EXECUTED: Partial<Record<string, SecurityKind>> = {
  settings: 'control-weakened',
  'admin-invitation': 'administrator-added',
  'admin-roles': 'roles-changed',
  'deposit-reversal': 'reversal',
  'withdrawal-reversal': 'reversal',
} satisfies Partial<Record<ChangeKind, SecurityKind>>

type Classified = Pick<AuditRow, 'action' | 'result' | 'details' | 'attemptId'>

/**
 * Returns the kind of security event that a row records; null if the row records no security event.
 * If one row records the attempt of an action and a second row its result, only one of these rows
 * has a kind.
 */
export function findSecurityKind(row: Classified): SecurityKind | null {
  const { action, result } = row
  const isSuccess = result === SUCCESS
  // A server command is counted by its attempt, so that the count includes interrupted commands.
  if (action.startsWith('cli.')) return row.attemptId === null ? 'break-glass' : null
  if (result === ATTEMPTED) return null
  if (LOCKOUTS.has(result)) return 'lockout'
  if (LOGINS.has(action)) return isSuccess ? 'login' : 'login-failed'
  if (STEP_UPS.has(action)) return isSuccess ? 'step-up' : 'step-up-failed'
  if (action === ACCESS_REFUSED) {
    return result === 'STEP_UP_REQUIRED' ? 'step-up-required' : 'access-refused'
  }
  if (!isSuccess) return 'act-failed'
  if (action === 'settings.save') {
    return listWeakenedControls(row.details).length > 0 ? 'control-weakened' : 'settings-changed'
  }
  return findSuccessKind(row)
}

function findSuccessKind({ action, details }: Classified): SecurityKind {
  if (DECISIONS.has(action) && details.isReversal === true) return 'reversal'
  if (APPROVALS.has(action)) return 'approval'
  if (action === 'user.invite-admin') return 'administrator-added'
  if (action === 'user.set-roles') return 'roles-changed'
  if (action === 'change.execute') return EXECUTED[String(details.kind)] ?? 'act'
  return isExport(action) ? 'export' : 'act'
}

function isExport(action: string): boolean {
  return /\.(export|download)(-|$)/.test(action)
}

/**
 * Returns the number of refusals that a row represents. A `summary` row represents several
 * refusals.
 */
export function getRefusalCount({
  details,
  requestId,
}: Pick<AuditRow, 'details' | 'requestId'>): number {
  const { count } = details
  return requestId === 'summary' && typeof count === 'number' ? count : 1
}

/**
 * Returns the paths of the changed settings that weaken a control, such as
 * `security.loginAttempts`.
 */
export function listWeakenedControls(
  details: Readonly<Record<string, unknown>>,
): readonly string[] {
  const { changes } = details
  if (typeof changes !== 'object' || changes === null) return []
  return Object.entries(changes).flatMap(([path, change]) => {
    const { before, after } = change as { before: unknown; after: unknown }
    return isWeakened(path, { before, after }) ? [path] : []
  })
}
