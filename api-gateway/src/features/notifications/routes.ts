import {
  exportMyNotifications,
  listNotifications,
  Notification,
  readAllNotifications,
  readNotification,
} from '@cairn/gateway-contracts'
import { type Selectable, sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/tables.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { replaceReferencesByTexts } from '../../platform/erasure/private-text.ts'
import { type Columns, createListRoutes, type RowPage } from '../../platform/http/list-export.ts'
import { declareRoute, getCaller, type Route } from '../../platform/http/registry.ts'

const mark = { rate: 'write', owner: 'own', audit: null } as const

const COLUMNS: Columns<Notification> = {
  Time: ({ createdAt }) => createdAt,
  Kind: ({ kind }) => kind,
  Title: ({ title }) => title,
  Text: ({ body }) => body,
  Read: ({ readAt }) => readAt,
}

export function createNotificationRoutes(deps: Dependencies): readonly Route[] {
  const { db } = deps
  return [
    ...createOwnListRoutes(deps),
    declareRoute(readAllNotifications, mark, async (_request, exchange) => {
      const { userId } = getCaller(exchange)
      await markNotificationsAsRead(db, { userId, id: null, nowMs: exchange.nowMs })
      return { unread: await countUnread(db, userId) }
    }),
    // The update changes only rows of the caller. The id of another user's notification therefore
    // changes nothing.
    declareRoute(readNotification, mark, async ({ params }, exchange) => {
      const { userId } = getCaller(exchange)
      await markNotificationsAsRead(db, { userId, id: params.id, nowMs: exchange.nowMs })
      return { unread: await countUnread(db, userId) }
    }),
  ]
}

function createOwnListRoutes({ db }: Dependencies): readonly Route[] {
  return createListRoutes({
    list: listNotifications,
    read: async ({ query }, exchange) => {
      const { userId } = getCaller(exchange)
      const [{ rows, next }, unread] = await Promise.all([
        listOwnNotifications(db, { userId, ...query }),
        countUnread(db, userId),
      ])
      return { notifications: [...rows], meta: { unread, next } }
    },
    csv: {
      endpoint: exportMyNotifications,
      fileName: 'notifications.csv',
      audit: null,
      columns: COLUMNS,
      toRequest: (_request, { limit, after }) => ({ query: { limit, before: after } }),
      toPage: ({ notifications, meta }) => ({ rows: notifications, next: meta.next }),
    },
  })
}

/** Lists the user's notifications, newest first. */
export async function listOwnNotifications(
  db: Database,
  { userId, limit, before }: { userId: string; limit: number; before?: string | undefined },
): Promise<RowPage<Notification>> {
  let page = db
    .selectFrom('platform.notification')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
  if (before !== undefined) page = page.where('id', '<', before)
  const rows = await page.execute()
  const next = rows.length === limit ? (rows.at(-1)?.id ?? null) : null
  return { rows: await replaceReferencesByTexts(db, rows.map(toNotification)), next }
}

async function markNotificationsAsRead(
  db: Database,
  { userId, id, nowMs }: { userId: string; id: string | null; nowMs: number },
): Promise<void> {
  let update = db
    .updateTable('platform.notification')
    .set({ read_at: new Date(nowMs) })
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
  if (id !== null) update = update.where('id', '=', id)
  await update.execute()
}

async function countUnread(db: Database, userId: string): Promise<number> {
  const { unread } = await db
    .selectFrom('platform.notification')
    .select(sql<number>`count(*)::int`.as('unread'))
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow()
  return unread
}

function toNotification(row: Selectable<Tables['platform.notification']>): Notification {
  return {
    id: row.id,
    _id: row.id,
    kind: Notification.shape.kind.parse(row.kind),
    title: row.title,
    body: row.body,
    link: row.link,
    createdAt: row.created_at.toISOString(),
    readAt: row.read_at?.toISOString() ?? null,
  }
}
