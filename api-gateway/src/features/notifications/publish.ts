import { sql } from 'kysely'
import type { DatabaseTransaction } from '../../platform/database/database.ts'
import { NOTIFICATION_CHANNEL } from '../../platform/live/notification-listener.ts'

/**
 * Maximum number of user ids in one payload. PostgreSQL limits the payload of NOTIFY to 8,000
 * bytes.
 */
const IDS_PER_PAYLOAD = 200

/**
 * Tells the gateways which users have new or changed notifications. PostgreSQL delivers the message
 * after the commit.
 */
export async function publishNotifications(
  trx: DatabaseTransaction,
  userIds: readonly string[],
): Promise<void> {
  for (let start = 0; start < userIds.length; start += IDS_PER_PAYLOAD) {
    const payload = userIds.slice(start, start + IDS_PER_PAYLOAD).join(',')
    await sql`select pg_notify(${NOTIFICATION_CHANNEL}, ${payload})`.execute(trx)
  }
}
