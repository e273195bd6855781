import {
  type ContactMessage,
  exportMessages,
  listContactMessages,
  markMessageAnswered,
  sendContactMessage,
} from '@cairn/gateway-contracts'
import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../platform/database/tables.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { createNotFoundFailure } from '../../platform/http/failure.ts'
import { type Columns, createListRoutes } from '../../platform/http/list-export.ts'
import { declareRoute, type Route } from '../../platform/http/registry.ts'

const COLUMNS: Columns<ContactMessage> = {
  Time: ({ createdAt }) => createdAt,
  Name: ({ name }) => name,
  Email: ({ email }) => email,
  Message: ({ message }) => message,
  Answered: ({ answeredAt }) => answeredAt,
}

export function createMessageRoutes(deps: Dependencies): readonly Route[] {
  const { db } = deps
  return [
    declareRoute(
      sendContactMessage,
      { rate: 'contact', owner: 'any', audit: null },
      async ({ body }, { subjectId, ip, nowMs }) => {
        // Only a program fills this hidden field. The program gets the usual answer, so that it
        // does not detect the check.
        if (body.website !== null) return { received: true as const }
        const { name, email, message } = body
        await db
          .insertInto('platform.contact_message')
          .values({ id: subjectId, name, email, message, ip, created_at: new Date(nowMs) })
          .execute()
        return { received: true as const }
      },
    ),
    ...createMessageListRoutes(deps),
    declareRoute(
      markMessageAnswered,
      { rate: 'write', owner: 'any', audit: 'contact.answered', needsFreshFactor: false },
      async ({ params }, exchange) => {
        const row = await db
          .updateTable('platform.contact_message')
          .set({ answered_at: sql`coalesce(answered_at, ${new Date(exchange.nowMs)})` })
          .where('id', '=', params.id)
          .returningAll()
          .executeTakeFirst()
        if (row === undefined) throw createNotFoundFailure('There is no such message')
        exchange.note({ subject: row.id })
        return { message: toMessage(row) }
      },
    ),
  ]
}

function createMessageListRoutes({ db }: Dependencies): readonly Route[] {
  return createListRoutes({
    list: listContactMessages,
    read: async ({ query }) => {
      let page = db
        .selectFrom('platform.contact_message')
        .selectAll()
        .orderBy('id', 'desc')
        .limit(query.limit)
      if (query.before !== undefined) page = page.where('id', '<', query.before)
      const rows = await page.execute()
      const { open } = await db
        .selectFrom('platform.contact_message')
        .select(sql<number>`count(*)::int`.as('open'))
        .where('answered_at', 'is', null)
        .executeTakeFirstOrThrow()
      const next = rows.length === query.limit ? (rows.at(-1)?.id ?? null) : null
      return { messages: rows.map(toMessage), meta: { open, next } }
    },
    csv: {
      endpoint: exportMessages,
      fileName: 'messages.csv',
      audit: 'contact.export',
      columns: COLUMNS,
      toRequest: (_request, { limit, after }) => ({ query: { limit, before: after } }),
      toPage: ({ messages, meta }) => ({ rows: messages, next: meta.next }),
    },
  })
}

function toMessage(row: Selectable<Tables['platform.contact_message']>): ContactMessage {
  return {
    id: row.id,
    _id: row.id,
    name: row.name,
    email: row.email,
    message: row.message,
    createdAt: row.created_at.toISOString(),
    answeredAt: row.answered_at?.toISOString() ?? null,
  }
}
