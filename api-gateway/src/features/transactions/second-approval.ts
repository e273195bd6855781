import type { Dependencies } from '../../platform/dependencies.ts'
import { recordAudit } from '../../platform/http/audit.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { callerOf, type Exchange } from '../../platform/http/registry.ts'
import { announceToAdmins } from '../notifications/index.ts'

/**
 * The answer to the first of two approvals: 409, because a success would tell the client that the
 * act is complete. It writes the audit row itself, because failed requests have none.
 */
export async function toFirstApproval(
  deps: Pick<Dependencies, 'db' | 'live'>,
  exchange: Exchange,
  first: {
    action: string
    subject: string
    details: Record<string, unknown>
    /** The title and link of the notification to administrators. */
    title: string
    link: string
    message: string
  },
): Promise<HttpFailure> {
  const { ip, requestId, nowMs } = exchange
  const { userId, name } = callerOf(exchange)
  const { action, subject, details, title, link, message } = first
  const entry = { actorId: userId, action, subject, ip, requestId, details }
  await recordAudit(deps.db, entry, nowMs)
  await announceToAdmins(deps, {
    permission: 'transactions.decide',
    source: `request/${requestId}`,
    kind: 'review',
    title,
    body: `Proposed by ${name}. Another administrator has to approve it.`,
    link,
    nowMs,
  })
  return new HttpFailure(409, 'SECOND_APPROVER_NEEDED', message)
}
