import type { Clock } from '@cairn/service-kit/clock'
import type { Database } from '../database/database.ts'
import { wasCertainlyNotSent } from './unsent-mail.ts'

/**
 * Records the mail as sent, then sends it. After a crash or an unknown result the mail is not sent
 * again, because a lost announcement is better than two. Only an error that proves that the mail
 * server does not have the mail lets a later attempt send it.
 */
export async function sendAtMostOnce(
  { db, clock }: { db: Database; clock: Clock },
  { messageId, kind, send }: { messageId: string; kind: string; send(): Promise<unknown> },
): Promise<void> {
  const recorded = await db
    .insertInto('platform.mail_delivery')
    .values({ message_id: messageId, kind, sent_at: new Date(clock.now()) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('message_id')
    .executeTakeFirst()
  if (recorded === undefined) return
  try {
    await send()
  } catch (error) {
    if (wasCertainlyNotSent(error)) {
      await db.deleteFrom('platform.mail_delivery').where('message_id', '=', messageId).execute()
    }
    throw error
  }
}
