import type { Permission } from '@cairn/gateway-contracts'
import { createId, type RecordedEvent } from '@cairn/ledger-contracts'
import type { Clock } from '@cairn/service-kit/clock'
import { listHolders } from '../../platform/access/granted-roles.ts'
import type { DatabaseTransaction } from '../../platform/database/database.ts'
import { replaceReferencesByTexts } from '../../platform/erasure/private-text.ts'
import { getNewsTime, isNews } from '../../platform/is-news.ts'
import type { Follower } from '../../platform/jobs/follower.ts'
import { publishChange } from '../../platform/live/published-change.ts'
import type { Settings } from '../../platform/settings-store/site-settings.ts'
import { markDecidedRequestsAsRead } from './decided-requests.ts'
import { listNotificationTexts, type NotificationText } from './notification-text.ts'

/**
 * A page of events can cause a row for each request and administrator. PostgreSQL accepts at most
 * 65,535 parameters in one statement, which are about 7,000 rows.
 */
const ROWS_PER_INSERT = 1_000

/**
 * Creates the follower that notifies investors about their money and administrators about pending
 * requests. A decision marks the notifications about its request as read.
 */
export function createNotificationFollower({
  clock,
  settings,
}: {
  clock: Clock
  settings: Settings
}): Follower {
  return {
    name: 'notifications.v1',
    handle: async (events, trx) => {
      // Loading the settings sets the currency of the texts.
      await settings.read()
      const notified = await insertNotifications(trx, events, clock.now())
      // The decisions come last, because one batch can contain a request and its decision.
      const settled = await markDecidedRequestsAsRead(trx, events, clock.now())
      const userIds = [...new Set([...notified, ...settled])]
      await publishChange(trx, { topic: 'notifications', userIds })
    },
  }
}

/** Inserts the notifications that the events cause. Returns the ids of their recipients. */
async function insertNotifications(
  trx: DatabaseTransaction,
  events: readonly RecordedEvent[],
  nowMs: number,
): Promise<readonly string[]> {
  const shown = await replaceReferencesByTexts(trx, events.filter(isNews))
  const notifications = shown.flatMap((event) =>
    listNotificationTexts(event).map((item, place) => ({
      event,
      item,
      source: `event/${event.seq}/${place}`,
    })),
  )
  if (notifications.length === 0) return []
  const recipients = await findRecipients(
    trx,
    notifications.map(({ item }) => item),
    nowMs,
  )
  const rows = notifications.flatMap(({ event, item, source }) =>
    recipients(item).map((userId) => toRow({ event, item, source, userId })),
  )
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    await trx
      .insertInto('platform.notification')
      .values(rows.slice(start, start + ROWS_PER_INSERT))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  return rows.map(({ user_id }) => user_id)
}

/**
 * Returns a function that lists the recipients of a notification. The administrators with a
 * permission are read from the database only once.
 */
async function findRecipients(
  trx: DatabaseTransaction,
  items: readonly NotificationText[],
  nowMs: number,
): Promise<(item: NotificationText) => readonly string[]> {
  const holders = new Map<Permission, readonly string[]>()
  for (const item of items) {
    if (item.userId !== null || holders.has(item.permission)) continue
    const found = await listHolders(trx, { permission: item.permission, nowMs })
    holders.set(
      item.permission,
      found.map(({ userId }) => userId),
    )
  }
  return (item) => (item.userId === null ? (holders.get(item.permission) ?? []) : [item.userId])
}

function toRow(input: {
  event: RecordedEvent
  item: NotificationText
  source: string
  userId: string
}) {
  const { event, item, source, userId } = input
  const { kind, title, body, link } = item
  const at = getNewsTime(event)
  return {
    // The ids order the list, so they follow the time that the list shows.
    id: createId(Date.parse(at)),
    user_id: userId,
    source,
    kind,
    title,
    body,
    link,
    created_at: new Date(at),
    read_at: null,
  }
}
