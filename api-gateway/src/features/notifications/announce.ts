import type { Notification } from '@cairn/gateway-contracts'
import { newId } from '@cairn/ledger-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'

/** Notifies every administrator of an act of one of them. */
export async function announceToAdmins(
  { db, live }: Pick<Dependencies, 'db' | 'live'>,
  announcement: {
    /** Identifies the cause, so that each administrator is notified once. */
    source: string
    kind: Notification['kind']
    title: string
    body: string
    link: string
    nowMs: number
  },
): Promise<void> {
  const { nowMs, ...notification } = announcement
  const admins = await db
    .selectFrom('identity.user')
    .select('id')
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .execute()
  if (admins.length === 0) return
  const created_at = new Date(nowMs)
  await db
    .insertInto('platform.notification')
    .values(
      admins.map(({ id: user_id }) => ({
        id: newId(nowMs),
        user_id,
        ...notification,
        created_at,
        read_at: null,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  live.publish(
    admins.map(({ id }) => id),
    'notifications',
  )
}
