import { z } from 'zod'
import { Instant, isWithinYears, OUTSIDE_YEARS } from './fields.ts'

/**
 * The roles of administrators. An administrator has at least one role. The field `role` of a user
 * is a different value: `user` or `admin`.
 */
export const AdminRole = z.enum(['owner', 'finance', 'support', 'compliance', 'auditor'])
export type AdminRole = z.infer<typeof AdminRole>
export const ADMIN_ROLES: readonly AdminRole[] = AdminRole.options

/** A role of an administrator. The role grants nothing after `endsAt`. */
export const GrantedRole = z.object({
  role: AdminRole,
  /** The time at which the administrator received the role. */
  grantedAt: Instant,
  /** The end of the role. Only the role `auditor` can have an end. */
  endsAt: Instant.nullable(),
})
export type GrantedRole = z.infer<typeof GrantedRole>

/** A role that a request gives to an administrator. */
export const RoleChoice = z
  .strictObject({
    role: AdminRole,
    endsAt: z.iso
      .datetime('The end must be a date with a time')
      .refine(isWithinYears, OUTSIDE_YEARS)
      .nullable()
      .default(null),
  })
  .refine(({ role, endsAt }) => endsAt === null || role === 'auditor', {
    path: ['endsAt'],
    message: 'Only the role auditor can have an end',
  })
export type RoleChoice = z.infer<typeof RoleChoice>

export const RoleChoices = z
  .array(RoleChoice, 'Choose at least one role')
  .min(1, 'Choose at least one role')
  .max(ADMIN_ROLES.length, 'Choose each role at most once')
  .refine((choices) => new Set(choices.map(({ role }) => role)).size === choices.length, {
    message: 'Choose each role at most once',
  })

export const OWNER: readonly RoleChoice[] = [{ role: 'owner', endsAt: null }]

type OtherRole = Exclude<AdminRole, 'owner'>
type Described = { group: string; label: string; roles: readonly OtherRole[] }

const ALL = ['finance', 'support', 'compliance', 'auditor'] as const

/**
 * The permissions of each role; `owner` has every permission. A permission to read a list
 * (`*.read`) also permits the export of the list.
 */
export const PERMISSIONS = {
  'overview.read': { group: 'Overview', label: 'See the dashboard and its charts', roles: ALL },
  'users.read': { group: 'People', label: 'See people and their details', roles: ALL },
  'contacts.read': {
    group: 'People',
    label: 'See contact data unmasked',
    roles: ['finance', 'support', 'compliance'],
  },
  'bankAccounts.read': {
    group: 'People',
    label: 'See bank account numbers unmasked',
    roles: ['finance', 'compliance'],
  },
  'users.notes': {
    group: 'People',
    label: 'Read and write notes',
    roles: ['support', 'compliance'],
  },
  'users.status': { group: 'People', label: 'Change the status of people', roles: ['compliance'] },
  'users.sessions': { group: 'People', label: 'See and end sessions', roles: ['compliance'] },
  'users.credentials': {
    group: 'People',
    label: 'Reset passwords and second factors',
    roles: ['compliance'],
  },
  'users.delete': { group: 'People', label: 'Delete people', roles: ['compliance'] },
  'referrals.read': { group: 'People', label: 'See referrals', roles: ALL },
  'messages.read': { group: 'People', label: 'See messages', roles: ['support'] },
  'messages.answer': { group: 'People', label: 'Mark messages as answered', roles: ['support'] },
  'transactions.read': { group: 'Money', label: 'See transactions', roles: ALL },
  'receipts.read': {
    group: 'Money',
    label: 'See payment proofs',
    roles: ['finance', 'compliance'],
  },
  'transactions.decide': {
    group: 'Money',
    label: 'Approve, decline and reverse transactions',
    roles: ['finance'],
  },
  'investments.read': { group: 'Money', label: 'See investments', roles: ALL },
  'investments.deny': { group: 'Money', label: 'End investments', roles: ['finance'] },
  'wallets.fund': { group: 'Money', label: 'Fund wallets', roles: ['finance'] },
  'adjustments.read': {
    group: 'Money',
    label: 'See adjustments',
    roles: ['finance', 'compliance', 'auditor'],
  },
  'adjustments.propose': { group: 'Money', label: 'Propose adjustments', roles: ['finance'] },
  'approvals.read': {
    group: 'Money',
    label: 'See requests that are waiting for approval',
    roles: ['finance', 'compliance', 'auditor'],
  },
  'reserve.read': {
    group: 'Money',
    label: 'See the reserve',
    roles: ['finance', 'compliance', 'auditor'],
  },
  'reserve.move': {
    group: 'Money',
    label: 'Move money into and out of the reserve',
    roles: ['finance'],
  },
  'bankStatements.read': { group: 'Money', label: 'See bank statements', roles: ['finance'] },
  'bankStatements.write': {
    group: 'Money',
    label: 'Import and match bank statements',
    roles: ['finance'],
  },
  'plans.read': { group: 'Products', label: 'See plans with their drafts', roles: ALL },
  'plans.write': { group: 'Products', label: 'Change and approve plans', roles: ['finance'] },
  'paymentOptions.read': { group: 'Products', label: 'See payment options', roles: ALL },
  'paymentOptions.write': {
    group: 'Products',
    label: 'Change payment options',
    roles: ['finance'],
  },
  'ledger.read': {
    group: 'Ledger',
    label: 'Read the ledger',
    roles: ['finance', 'compliance', 'auditor'],
  },
  'ledger.verify': {
    group: 'Ledger',
    label: 'Start a verification of the ledger',
    roles: ['finance', 'auditor'],
  },
  'ledger.export': { group: 'Ledger', label: 'Export the whole ledger', roles: ['auditor'] },
  'ledger.permitKey': {
    group: 'Ledger',
    label: 'Permit a new signing key',
    roles: [],
  },
  'ledger.permitImport': {
    group: 'Ledger',
    label: 'Permit an import of opening balances',
    roles: [],
  },
  'audit.read': { group: 'Ledger', label: 'Read the audit log', roles: ['compliance', 'auditor'] },
  'claims.read': {
    group: 'Site',
    label: 'See claims and attestations',
    roles: ['finance', 'compliance', 'auditor'],
  },
  'claims.write': { group: 'Site', label: 'Change and approve claims', roles: ['compliance'] },
  'attestations.write': {
    group: 'Site',
    label: 'Enter and confirm attestations',
    roles: ['finance'],
  },
  'endorsements.read': {
    group: 'Site',
    label: 'See testimonials, sponsors and their consent',
    roles: ['compliance'],
  },
  'endorsements.write': {
    group: 'Site',
    label: 'Change testimonials and sponsors',
    roles: ['compliance'],
  },
  'faqs.read': { group: 'Site', label: 'See all FAQs', roles: ['support', 'compliance'] },
  'faqs.write': { group: 'Site', label: 'Change FAQs', roles: ['support'] },
  'templates.read': {
    group: 'Site',
    label: 'See email templates and announcements',
    roles: ['compliance'],
  },
  'templates.write': {
    group: 'Site',
    label: 'Change email templates and send announcements',
    roles: [],
  },
  'settings.read': {
    group: 'Site',
    label: 'See the settings',
    roles: ['finance', 'compliance', 'auditor'],
  },
  'settings.write': { group: 'Site', label: 'Change the settings', roles: [] },
  'jobs.read': { group: 'Site', label: 'See background jobs', roles: [] },
  'jobs.retry': { group: 'Site', label: 'Run failed jobs again', roles: [] },
  'roles.read': { group: 'Administrators', label: 'See roles and permissions', roles: ALL },
  'roles.write': { group: 'Administrators', label: 'Change roles', roles: [] },
  'admins.invite': { group: 'Administrators', label: 'Invite administrators', roles: [] },
  'admins.control': {
    group: 'Administrators',
    label: 'Change status, sessions and credentials of administrators',
    roles: [],
  },
} as const satisfies Record<string, Described>

export type Permission = keyof typeof PERMISSIONS
// The cast is safe because `PERMISSIONS` has exactly the keys of the type.
export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as [Permission, ...Permission[]]
export const PermissionName = z.enum(PERMISSION_NAMES)

export function isGranted(role: AdminRole, permission: Permission): boolean {
  if (role === 'owner') return true
  const roles: readonly OtherRole[] = PERMISSIONS[permission].roles
  return roles.includes(role)
}

export function listPermissions(roles: readonly { role: AdminRole }[]): readonly Permission[] {
  return PERMISSION_NAMES.filter((name) => roles.some(({ role }) => isGranted(role, name)))
}

/** Returns the roles that have not ended at the given time. */
export function findActiveRoles(
  granted: readonly GrantedRole[],
  nowMs: number,
): readonly GrantedRole[] {
  return granted.filter(({ endsAt }) => endsAt === null || Date.parse(endsAt) > nowMs)
}
