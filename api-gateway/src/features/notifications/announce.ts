import type { Notification, Permission } from '@cairn/gateway-contracts'
import { createId } from '@cairn/ledger-contracts'
import { listHolders } from '../../platform/access/granted-roles.ts'
import type { Database } from '../../platform/database/database.ts'
import { publishChange } from '../../platform/live/published-change.ts'

/**
 * Notifies the administrators about an action of one administrator. In a transaction, the
 * notifications and their message to the open pages are committed with the action.
 */
export async function announceToAdmins(
  db: Database,
  announcement: {
    /** Only administrators with this permission are notified. */
    permission: Permission
    /**
     * The id of the cause of the notification. Each administrator is notified of each cause only
     * once.
     */
    source: string
    kind: Notification['kind']
    title: string
    body: string
    link: string
    nowMs: number
  },
): Promise<void> {
  const { nowMs, permission, ...notification } = announcement
  const admins = await listHolders(db, { permission, nowMs })
  if (admins.length === 0) return
  const created_at = new Date(nowMs)
  await db
    .insertInto('platform.notification')
    .values(
      admins.map(({ userId: user_id }) => ({
        id: createId(nowMs),
        user_id,
        ...notification,
        created_at,
        read_at: null,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const userIds = admins.map(({ userId }) => userId)
  await publishChange(db, { topic: 'notifications', userIds })
}
