import type { Dependencies } from '../../platform/dependencies.ts'
import { type AuditEntry, recordAudit } from '../../platform/http/audit.ts'
import { toFailure, toServerFailure } from '../../platform/ledger-client/refusal.ts'
import { queueMail } from '../../platform/mail/outbox.ts'
import { closeSessionsOf } from '../sessions/index.ts'
import { lockAdmin } from '../users/index.ts'

/**
 * Suspends an administrator at once and mails all other administrators. Only the server command
 * uses this function. The suspension needs no approval, because otherwise one of only two
 * administrators could not be suspended.
 */
export async function suspendAdmin(
  { db, ledger, seal }: Pick<Dependencies, 'db' | 'ledger' | 'seal'>,
  { email, nowMs }: { email: string; nowMs: number },
): Promise<{ userId: string }> {
  const stopped = await db.transaction().execute(async (trx) => {
    const user = await trx
      .selectFrom('identity.user')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirst()
    const known = user === undefined ? null : await lockAdmin(trx, user.id)
    if (known === null) throw new Error(`${email} is not an administrator`)
    const { id: userId, name } = known
    const now = new Date(nowMs)
    await trx
      .updateTable('identity.user')
      .set({ status: 'deactivated', updated_at: now })
      .where('id', '=', userId)
      .execute()
    await closeSessionsOf(trx, userId)
    const entry: AuditEntry = {
      actorId: null,
      action: 'cli.suspend',
      subject: userId,
      ip: 'server',
      requestId: 'cli',
      details: { statusBefore: known.status },
    }
    await recordAudit(trx, entry, nowMs)
    const others = await trx
      .selectFrom('identity.user')
      .select('id')
      .where('role', '=', 'admin')
      .where('status', '=', 'active')
      .where('id', '<>', userId)
      .execute()
    for (const { id } of others) {
      const content = { person: name, email }
      await queueMail(trx, seal, { kind: 'admin-suspended', userId: id, content, nowMs })
    }
    return { userId }
  })
  await endApprovals(ledger, stopped.userId)
  return stopped
}

/**
 * Removes an approver from the ledger. The server command is allowed to leave fewer than two
 * approvers, but an administrator is not. The dual-control mode does not change.
 */
async function endApprovals(ledger: Dependencies['ledger'], approverId: string): Promise<void> {
  const answer = await ledger.submit({
    type: 'RemoveApprover',
    data: { approverId, reason: 'Suspended by a command on the server' },
    actor: 'system:server',
    key: null,
    requestId: 'cli',
    effectiveAt: null,
  })
  if (answer.outcome === 'failed') throw toServerFailure(answer)
  if (answer.outcome === 'refused' && answer.code !== 'APPROVER_CONFLICT') throw toFailure(answer)
}
