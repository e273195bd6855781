import type { Permission } from '@cairn/gateway-contracts'
import { HOLDERS, ROLES, type Role } from './declared-permissions.ts'
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

type Access = keyof typeof ALLOWED

/**
 * The expected access of each endpoint. A permission alone means that only administrators may call.
 * An access with a permission means that only administrators need the permission.
 */
export const EXPECTED: Record<string, Access | Permission | `${Access} ${Permission}`> = {
  'GET /countries': 'anyone',
  'GET /users/me/statements': 'user',
  'GET /users/me/statements/:id': 'user',
  'GET /users/me/certificates': 'user',
  'GET /users/me/certificates/:investmentId': 'user',
  'GET /admin/jobs': 'jobs.read',
  'POST /admin/jobs/:queue/retry': 'jobs.retry',
  'GET /admin/templates': 'templates.read',
  'PUT /admin/templates/:kind': 'templates.write',
  'DELETE /admin/templates/:kind': 'templates.write',
  'POST /admin/templates/:kind/preview': 'templates.write',
  'POST /admin/templates/:kind/test': 'templates.write',
  'GET /public/settings': 'anyone',
  'GET /public/status': 'anyone',
  'POST /users/signup': 'anyone',
  'POST /users/verify_email': 'anyone',
  'POST /users/resend_code': 'anyone',
  'POST /users/login': 'anyone',
  'POST /users/login/mfa': 'anyone',
  'GET /users/me/mfa': 'arriving',
  'POST /users/me/mfa/setup': 'arriving',
  'POST /users/me/mfa/enable': 'arriving',
  'POST /users/me/mfa/disable': 'session',
  'POST /users/me/step_up': 'arriving',
  'POST /users/login/passkey/options': 'anyone',
  'POST /users/login/passkey': 'anyone',
  'GET /users/me/passkeys': 'arriving',
  'POST /users/me/passkeys/options': 'arriving',
  'POST /users/me/passkeys': 'arriving',
  'PATCH /users/me/passkeys/:id': 'session',
  'DELETE /users/me/passkeys/:id': 'session',
  'POST /users/me/passkeys/step_up/options': 'arriving',
  'POST /users/me/passkeys/step_up': 'arriving',
  'POST /users/me/mfa/recovery_codes': 'session',
  'PATCH /users/me/password': 'arriving',
  'POST /users/forgot_password': 'anyone',
  'POST /users/reset_password/check': 'anyone',
  'POST /users/reset_password': 'anyone',
  'PUT /users/update-profile': 'session',
  'POST /users/me/email/confirm': 'session',
  'GET /users/me/data.json': 'user',
  'POST /users/me/close': 'session',
  'GET /users/me/session': 'session',
  'POST /users/me/session': 'session',
  'GET /users/me/sessions': 'session',
  'DELETE /users/me/sessions': 'session',
  'DELETE /users/me/sessions/:id': 'session',
  'GET /users/:id/sessions': 'users.sessions',
  'DELETE /users/:id/sessions/:sessionId': 'users.sessions',
  'POST /users/:id/sessions/revoke': 'users.sessions',
  'POST /users/:id/force_reset': 'users.credentials',
  'POST /users/:id/reset_mfa': 'users.credentials',
  'POST /users/invite': 'admins.invite',
  'DELETE /users/:id': 'users.delete',
  'GET /users/logout': 'anyone',
  'POST /users/logout': 'anyone',
  'GET /users/me': 'arriving',
  'GET /users': 'users.read',
  'GET /admin/roles': 'roles.read',
  'PUT /users/:id/roles': 'roles.write',
  'PATCH /users/:id/status': 'users.status',
  'PATCH /users/:id/name': 'users.status',
  'PATCH /users/:id/wallets': 'wallets.fund',
  'GET /users/me/banks': 'user',
  'GET /users/me/withdrawal_limits': 'user',
  'POST /users/me/banks/:id/default': 'user',
  'POST /users/me/deposit_reference': 'investor',
  'POST /users/me/banks': 'user',
  'DELETE /users/me/banks/:id': 'user',
  'GET /plans': 'anyone',
  'POST /plans': 'plans.write',
  'PATCH /plans/:id': 'plans.write',
  'DELETE /plans/:id': 'plans.write',
  'GET /admin/plans': 'plans.read',
  'GET /paymentOptions': 'session paymentOptions.read',
  'POST /paymentOptions': 'paymentOptions.write',
  'PATCH /paymentOptions/:id': 'paymentOptions.write',
  'DELETE /paymentOptions/:id': 'paymentOptions.write',
  'GET /paymentOptions/:id/image': 'session paymentOptions.read',
  'GET /transactions': 'transactions.read',
  'GET /transactions/recent': 'session transactions.read',
  'GET /transactions/review_times': 'session transactions.read',
  'PATCH /transactions/:id/action/approve': 'transactions.decide',
  'PATCH /transactions/:id/action/decline': 'transactions.decide',
  'GET /transactions/:id/receipt': 'session receipts.read',
  'GET /users/me/transactions': 'user',
  'POST /users/me/transactions': 'investor',
  'POST /users/me/transactions/:id/cancel': 'user',
  'GET /investments': 'investments.read',
  'GET /users/me/investments': 'user',
  'POST /users/me/investments': 'investor',
  'PATCH /investments/mine': 'user',
  'GET /stats/users': 'user',
  'GET /stats/admin': 'overview.read',
  'GET /admin/reserve': 'reserve.read',
  'POST /admin/reserve': 'reserve.move',
  'GET /admin/settings': 'settings.read',
  'POST /admin/settings': 'settings.write',
  'GET /public/endorsements': 'anyone',
  'GET /public/faqs': 'anyone',
  'GET /public/coverage': 'anyone',
  'GET /public/claims': 'anyone',
  'GET /public/checkpoint': 'anyone',
  'GET /public/log-key': 'anyone',
  'GET /public/sample-receipt': 'anyone',
  'POST /contact': 'anyone',
  'GET /events': 'session',
  'GET /users/me/notifications': 'session',
  'PATCH /users/me/notifications/read': 'session',
  'PATCH /users/me/notifications/:id/read': 'session',
  'GET /users/me/preferences': 'session',
  'PUT /users/me/preferences': 'session',
  'PUT /users/me/photo': 'session',
  'DELETE /users/me/photo': 'session',
  'GET /users/:id/photo': 'session',
  'GET /users/me/activity': 'session',
  'GET /transactions/:id': 'session transactions.read',
  'GET /transactions/:id/proof': 'session transactions.read',
  'GET /investments/:id': 'session investments.read',
  'GET /users/me/referrals': 'user',
  'POST /users/me/banks/:id/confirm': 'user',
  'POST /users/me/banks/:id/resend_code': 'user',
  'GET /users/me/transactions.csv': 'user',
  'GET /users/me/investments.csv': 'user',
  'POST /users/me/investments/:id/cancel': 'user',
  'GET /stats/users/history': 'user',
  'GET /stats/users/forecast': 'user',
  'GET /admin/audit': 'audit.read',
  'GET /admin/audit/chain': 'audit.read',
  'GET /admin/audit.jsonl': 'audit.read',
  'GET /admin/referrals': 'referrals.read',
  'GET /admin/referrals/:id': 'referrals.read',
  'GET /stats/admin/history': 'overview.read',
  'GET /stats/admin/maturities': 'overview.read',
  'GET /admin/ledger/signing-key': 'ledger.read',
  'POST /admin/ledger/signing-key/rotation': 'ledger.permitKey',
  'POST /admin/reserve/withdraw': 'reserve.move',
  'POST /admin/reserve/sweep': 'reserve.move',
  'GET /admin/adjustments': 'adjustments.read',
  'POST /admin/adjustments': 'adjustments.propose',
  'GET /admin/approvals': 'approvals.read',
  'GET /admin/approvals/count': 'approvals.read',
  'GET /admin/dualControl': 'overview.read',
  'GET /admin/approvals/:id': 'approvals.read',
  'GET /admin/approvals/:id/file': 'approvals.read',
  'POST /admin/approvals/:id/approve': 'approvals.read',
  'POST /admin/approvals/:id/reject': 'approvals.read',
  'POST /admin/approvals/:id/withdraw': 'approvals.read',
  'GET /admin/claims': 'claims.read',
  'PUT /admin/claims/:key': 'claims.write',
  'GET /admin/attestations': 'claims.read',
  'POST /admin/attestations': 'attestations.write',
  'GET /admin/attestations/:id/document': 'claims.read',
  'GET /admin/endorsements': 'endorsements.read',
  'POST /admin/endorsements': 'endorsements.write',
  'PUT /admin/endorsements/:id': 'endorsements.write',
  'DELETE /admin/endorsements/:id': 'endorsements.write',
  'GET /admin/endorsements.csv': 'endorsements.read',
  'GET /admin/faqs': 'faqs.read',
  'POST /admin/faqs': 'faqs.write',
  'PATCH /admin/faqs/:id': 'faqs.write',
  'DELETE /admin/faqs/:id': 'faqs.write',
  'GET /admin/messages': 'messages.read',
  'PATCH /admin/messages/:id/answered': 'messages.answer',
  'GET /admin/ledger/events': 'ledger.read',
  'GET /admin/ledger/events/:seq': 'ledger.read',
  'GET /admin/ledger/accounts': 'ledger.read',
  'GET /admin/ledger/accounts/:account': 'ledger.read',
  'GET /admin/ledger/trial-balance': 'ledger.read',
  'GET /admin/ledger/checkpoints': 'ledger.read',
  'GET /admin/ledger/consistency': 'ledger.read',
  'GET /admin/ledger/durability': 'ledger.read',
  'GET /admin/ledger/verifications': 'ledger.read',
  'POST /admin/ledger/verifications': 'ledger.verify',
  'GET /admin/ledger/export': 'ledger.export',
  'GET /transactions.csv': 'transactions.read',
  'GET /investments.csv': 'investments.read',
  'GET /users.csv': 'users.read',
  'POST /users/:id/payouts': 'transactions.decide',
  'GET /users/:id/banks.csv': 'users.read',
  'GET /users/:id/sessions.csv': 'users.sessions',
  'GET /users/me/banks.csv': 'user',
  'GET /users/me/certificates.csv': 'user',
  'GET /users/me/sessions.csv': 'session',
  'GET /users/me/statements.csv': 'user',
  'GET /admin/templates.csv': 'templates.read',
  'GET /users/me/activity.csv': 'session',
  'GET /users/me/notifications.csv': 'session',
  'GET /users/me/referrals.csv': 'user',
  'GET /admin/adjustments.csv': 'adjustments.read',
  'GET /admin/approvals.csv': 'approvals.read',
  'GET /admin/attestations.csv': 'claims.read',
  'GET /admin/audit.csv': 'audit.read',
  'GET /admin/cash/:option/lines.csv': 'bankStatements.read',
  'GET /admin/cash/:option/movements.csv': 'bankStatements.read',
  'GET /admin/cash/:option/statements.csv': 'bankStatements.read',
  'GET /admin/claims.csv': 'claims.read',
  'GET /admin/faqs.csv': 'faqs.read',
  'GET /admin/jobs.csv': 'jobs.read',
  'GET /admin/ledger/accounts.csv': 'ledger.read',
  'GET /admin/ledger/accounts/:account/statement.csv': 'ledger.read',
  'GET /admin/ledger/checkpoints.csv': 'ledger.read',
  'GET /admin/ledger/events.csv': 'ledger.read',
  'GET /admin/ledger/trial-balance.csv': 'ledger.read',
  'GET /admin/ledger/verifications.csv': 'ledger.read',
  'GET /admin/messages.csv': 'messages.read',
  'GET /admin/plans.csv': 'plans.read',
  'GET /admin/referrals.csv': 'referrals.read',
  'GET /admin/referrals/:id/people.csv': 'referrals.read',
  'GET /paymentOptions.csv': 'paymentOptions.read',
  'GET /users/:id': 'users.read',
  'POST /users/:id/notes': 'users.notes',
  'PATCH /investments/:id/status': 'investments.deny',
  'GET /admin/cash/:option': 'bankStatements.read',
  'POST /admin/cash/:option/statements/preview': 'bankStatements.write',
  'POST /admin/cash/:option/statements': 'bankStatements.write',
  'GET /admin/cash/:option/statements': 'bankStatements.read',
  'GET /admin/cash/:option/lines': 'bankStatements.read',
  'GET /admin/cash/:option/movements': 'bankStatements.read',
  'POST /admin/cash/:option/match': 'bankStatements.write',
  'GET /admin/bank_lines/:id/candidates': 'bankStatements.read',
  'PATCH /admin/bank_lines/:id/match': 'bankStatements.write',
  'PATCH /admin/bank_lines/:id/unmatch': 'bankStatements.write',
}

export function parseExpectedAccess(expected: string): {
  access: Access | 'admin'
  permission: Permission | null
} {
  const words = expected.split(' ')
  // The search finds every word, because the type of `EXPECTED` allows only accesses, permissions
  // and `admin`.
  const access = words.find((word): word is Access => word in ALLOWED) ?? 'admin'
  const permission = words.find((word): word is Permission => word in HOLDERS) ?? null
  return { access, permission }
}

export function listAllowedActors(expected: string): readonly Actor[] {
  const { access, permission } = parseExpectedAccess(expected)
  if (access !== 'admin' && permission === null) return ALLOWED[access]
  const holders: readonly Actor[] = permission === null ? [] : HOLDERS[permission]
  const others = access === 'admin' ? [] : ALLOWED[access].filter((who) => !isRole(who))
  return ['admin', ...others, ...holders]
}

function isRole(who: Actor): who is Role {
  return ROLES.some((role) => role === who)
}
