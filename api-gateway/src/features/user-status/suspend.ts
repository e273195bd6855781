import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { recordAudit } from '../../platform/http/audit.ts'
import { queueMail } from '../../platform/mail/outbox.ts'
import { closeSessionsOf } from '../sessions/index.ts'
import { findAdminTarget } from '../users/index.ts'

/**
 * Stops an administrator at once, for the server command: it needs no approval, because one of two
 * administrators could otherwise not be stopped. It never lowers the number of people that a change
 * needs. Every other administrator receives a mail.
 */
export async function suspendAdmin(
  { db, seal }: { db: Database; seal: Dependencies['seal'] },
  { email, nowMs }: { email: string; nowMs: number },
): Promise<{ userId: string }> {
  return await db.transaction().execute(async (trx) => {
    const user = await trx
      .selectFrom('identity.user')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirst()
    const known = user === undefined ? null : await findAdminTarget(trx, user.id)
    if (known === null) throw new Error(`${email} is not an administrator`)
    const { id: userId, name } = known
    const now = new Date(nowMs)
    await trx
      .updateTable('identity.user')
      .set({ status: 'deactivated', approver_since: null, updated_at: now })
      .where('id', '=', userId)
      .execute()
    await closeSessionsOf(trx, userId)
    const entry = {
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
}
