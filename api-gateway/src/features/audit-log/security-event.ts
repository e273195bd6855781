import { type Group, settings } from '@cairn/gateway-contracts'
import type { AuditRow } from '@cairn/ledger-contracts/proof'
import { ATTEMPTED, SUCCESS } from '../../platform/http/audit.ts'
import { ACCESS_REFUSED } from '../../platform/http/pipeline.ts'

/** The kinds of security events, as they are named in the stream, the metric and the alert rules. */
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

/** The kinds about which every administrator who may read the audit log receives a mail. */
export const MAILED_KINDS: ReadonlySet<SecurityKind> = new Set([
  'administrator-added',
  'break-glass',
  'control-weakened',
])

const LOGINS = new Set(['user.login', 'user.login-mfa'])
const LOCKOUTS = new Set(['LOGIN_DELAYED', 'LOGIN_LOCKED', 'MFA_DELAYED'])
const APPROVALS = new Set(['transaction.approve', 'adjustment.apply', 'plan.approve'])
const DECISIONS = new Set(['transaction.approve', 'transaction.decline'])
const NEW_ADMINISTRATORS = new Set(['user.invite-admin', 'cli.create-admin'])

type Classified = Pick<AuditRow, 'action' | 'result' | 'details'>

/** Null for an attempt: its result follows as a row of its own. */
export function findSecurityKind(row: Classified): SecurityKind | null {
  const { action, result } = row
  const isSuccess = result === SUCCESS
  if (action.startsWith('cli.')) return 'break-glass'
  if (result === ATTEMPTED) return null
  if (LOCKOUTS.has(result)) return 'lockout'
  if (LOGINS.has(action)) return isSuccess ? 'login' : 'login-failed'
  if (action === 'mfa.step-up') return isSuccess ? 'step-up' : 'step-up-failed'
  if (action === ACCESS_REFUSED) {
    return result === 'STEP_UP_REQUIRED' ? 'step-up-required' : 'access-refused'
  }
  if (!isSuccess) return 'act-failed'
  if (action === 'settings.save') {
    return listWeakened(row.details).length > 0 ? 'control-weakened' : 'settings-changed'
  }
  return findSuccessKind(row)
}

function findSuccessKind({ action, details }: Classified): SecurityKind {
  if (DECISIONS.has(action) && details.isReversal === true) return 'reversal'
  if (APPROVALS.has(action)) return 'approval'
  if (NEW_ADMINISTRATORS.has(action)) return 'administrator-added'
  if (action === 'user.set-roles') return 'roles-changed'
  return isExport(action) ? 'export' : 'act'
}

function isExport(action: string): boolean {
  return /\.(export|download)(-|$)/.test(action)
}

/** How many refusals a row stands for: the row of a minute counts those without a row. */
export function countOf({ details, requestId }: Pick<AuditRow, 'details' | 'requestId'>): number {
  const { count } = details
  return requestId === 'summary' && typeof count === 'number' ? count : 1
}

/** The changed settings that weaken a control, such as `security.loginAttempts`. */
export function listWeakened(details: Readonly<Record<string, unknown>>): readonly string[] {
  const { changes } = details
  if (typeof changes !== 'object' || changes === null) return []
  return Object.entries(changes).flatMap(([path, change]) => {
    const { before, after } = change as { before: unknown; after: unknown }
    return isWeakened(path, { before, after }) ? [path] : []
  })
}

const groups: Readonly<Record<string, Group>> = settings

function isWeakened(path: string, { before, after }: { before: unknown; after: unknown }): boolean {
  const [group = '', name = ''] = path.split('.')
  switch (groups[group]?.[name]?.weakenedBy) {
    case undefined:
      return false
    case 'any change':
      return true
    case 'switching on':
      return after === true
    case 'switching off':
      return after === false
    case 'raising':
      // An empty limit allows more than any number.
      return before !== null && (after === null || Number(after) > Number(before))
    case 'lowering':
      return Number(after) < Number(before)
  }
}
