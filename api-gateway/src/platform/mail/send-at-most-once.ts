import type { Clock } from '@cairn/service-kit/clock'
import type { Database } from '../database/database.ts'

/**
 * Records the mail as sent, then sends it. After a crash or an unknown result the mail is not sent
 * again, because a lost announcement is better than two. Only a refusal by the mail server, or a
 * server that cannot be reached, lets a later attempt send it.
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

/** Codes of nodemailer and the system for a server to which no mail was handed over. */
const NOT_CONNECTED: ReadonlySet<unknown> = new Set(['EDNS', 'ECONNREFUSED'])

/**
 * Returns true if the mail server answered with a refusal, or if there was no connection to it. A
 * connection that broke may have delivered the mail.
 */
export function wasCertainlyNotSent(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { responseCode, code, originalCode } = error as Readonly<Record<string, unknown>>
  return (
    typeof responseCode === 'number' || [code, originalCode].some((it) => NOT_CONNECTED.has(it))
  )
}
