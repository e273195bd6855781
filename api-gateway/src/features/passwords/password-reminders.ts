import type { Clock } from '@cairn/service-kit/clock'
import type { Database } from '../../platform/database/database.ts'
import type { Seal } from '../../platform/keys/seal.ts'
import { queueMail } from '../../platform/mail/outbox.ts'
import type { Settings } from '../../platform/settings-store/site-settings.ts'

const DAY_MS = 86_400_000
export const REMINDERS_PER_RUN = 200
/**
 * The numbers of days before the expiry at which a reminder is mailed. If both reminders are due at
 * once, the user gets only the first of this list, because a reminder with a larger number is never
 * mailed after it.
 */
const REMINDERS = [3, 14] as const

/**
 * Mails users whose password expires soon, once for each number of days. Returns the number of
 * mails.
 */
export async function remindOfPasswords(deps: {
  db: Database
  clock: Clock
  seal: Seal
  settings: Settings
}): Promise<number> {
  const { security } = await deps.settings.read()
  const expiredBefore = new Date(deps.clock.now() - security.passwordExpiry * DAY_MS)
  let mailed = 0
  for (const days of REMINDERS) {
    const changedBefore = deps.clock.now() - (security.passwordExpiry - days) * DAY_MS
    mailed += await mailReminders(deps, {
      days,
      changedBefore: new Date(changedBefore),
      expiredBefore,
    })
  }
  return mailed
}

async function mailReminders(
  { db, clock, seal }: { db: Database; clock: Clock; seal: Seal },
  due: { days: number; changedBefore: Date; expiredBefore: Date },
): Promise<number> {
  const nowMs = clock.now()
  const { days, changedBefore, expiredBefore } = due
  return await db.transaction().execute(async (trx) => {
    const people = await trx
      .selectFrom('identity.user')
      .select('id')
      .where('password_changed_at', '<=', changedBefore)
      .where('password_changed_at', '>', expiredBefore)
      .where('mfa_enabled_at', 'is', null)
      .where('deleted_at', 'is', null)
      .where('email_verified_at', 'is not', null)
      .where('status', 'in', ['pending', 'active'])
      .where((where) =>
        where.or([where('password_reminder', 'is', null), where('password_reminder', '>', days)]),
      )
      .orderBy('password_changed_at')
      .limit(REMINDERS_PER_RUN)
      // Concurrent workers skip the rows that are locked.
      .forUpdate()
      .skipLocked()
      .execute()
    for (const { id } of people) {
      await trx
        .updateTable('identity.user')
        .set({ password_reminder: days })
        .where('id', '=', id)
        .execute()
      const content = { days: String(days) }
      await queueMail(trx, seal, { kind: 'password-expiring', userId: id, content, nowMs })
    }
    return people.length
  })
}
