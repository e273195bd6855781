import type { Permission } from '@cairn/gateway-contracts'

/** An administrator with one role, or with none. `admin` is an owner. */
export type Role = 'finance' | 'support' | 'compliance' | 'auditor' | 'without a role'
export const ROLES: readonly Role[] = [
  'finance',
  'support',
  'compliance',
  'auditor',
  'without a role',
]

/**
 * The roles with each permission, without owners, who have all permissions. The table is not
 * derived from `PERMISSIONS`, so a change to `PERMISSIONS` must also be made here.
 */
export const HOLDERS: Record<Permission, readonly Role[]> = {
  'overview.read': ['finance', 'support', 'compliance', 'auditor'],
  'users.read': ['finance', 'support', 'compliance', 'auditor'],
  'contacts.read': ['finance', 'support', 'compliance'],
  'bankAccounts.read': ['finance', 'compliance'],
  'users.notes': ['support', 'compliance'],
  'users.status': ['compliance'],
  'users.sessions': ['compliance'],
  'users.credentials': ['compliance'],
  'users.delete': ['compliance'],
  'referrals.read': ['finance', 'support', 'compliance', 'auditor'],
  'messages.read': ['support'],
  'messages.answer': ['support'],
  'transactions.read': ['finance', 'support', 'compliance', 'auditor'],
  'receipts.read': ['finance', 'compliance'],
  'transactions.decide': ['finance'],
  'investments.read': ['finance', 'support', 'compliance', 'auditor'],
  'investments.deny': ['finance'],
  'wallets.fund': ['finance'],
  'adjustments.read': ['finance', 'compliance', 'auditor'],
  'adjustments.propose': ['finance'],
  'approvals.read': ['finance', 'compliance', 'auditor'],
  'reserve.read': ['finance', 'compliance', 'auditor'],
  'reserve.move': ['finance'],
  'bankStatements.read': ['finance'],
  'bankStatements.write': ['finance'],
  'plans.read': ['finance', 'support', 'compliance', 'auditor'],
  'plans.write': ['finance'],
  'paymentOptions.read': ['finance', 'support', 'compliance', 'auditor'],
  'paymentOptions.write': ['finance'],
  'ledger.read': ['finance', 'compliance', 'auditor'],
  'ledger.verify': ['finance', 'auditor'],
  'ledger.export': ['auditor'],
  'ledger.permitKey': [],
  'audit.read': ['compliance', 'auditor'],
  'claims.read': ['finance', 'compliance', 'auditor'],
  'claims.write': ['compliance'],
  'attestations.write': ['finance'],
  'endorsements.read': ['compliance'],
  'endorsements.write': ['compliance'],
  'faqs.read': ['support', 'compliance'],
  'faqs.write': ['support'],
  'templates.read': ['compliance'],
  'templates.write': [],
  'settings.read': ['finance', 'compliance', 'auditor'],
  'settings.write': [],
  'jobs.read': [],
  'jobs.retry': [],
  'roles.read': ['finance', 'support', 'compliance', 'auditor'],
  'roles.write': [],
  'admins.invite': [],
  'admins.control': [],
}
