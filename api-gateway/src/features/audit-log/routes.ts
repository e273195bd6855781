import {
  type Activity,
  AUDIT_ACTIONS,
  type AuditEntry,
  exportAudit,
  exportMyActivity,
  listAudit,
  listMyActivity,
} from '@cairn/gateway-contracts'
import { type Selectable, sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/tables.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { replaceReferencesByTexts } from '../../platform/erasure/private-text.ts'
import { ATTEMPTED } from '../../platform/http/audit.ts'
import { type Columns, createListRoutes, type RowPage } from '../../platform/http/list-export.ts'
import { getCaller, type Route } from '../../platform/http/registry.ts'
import { findPersons } from '../users/index.ts'
import { createChainRoutes } from './chain-routes.ts'

type Row = Selectable<Tables['platform.audit']>

const AUDIT_COLUMNS: Columns<AuditEntry> = {
  Time: ({ at }) => at,
  Person: ({ actor }) => actor?.name ?? null,
  Email: ({ actor }) => actor?.email ?? null,
  Action: ({ action }) => action,
  Subject: ({ subject }) => subject,
  Result: ({ result }) => result,
  Event: ({ event }) => event,
  'IP address': ({ ip }) => ip,
  Request: ({ requestId }) => requestId,
  Details: ({ details }) => JSON.stringify(details),
}

export function createAuditLogRoutes(deps: Dependencies): readonly Route[] {
  return [...createTrailRoutes(deps), ...createChainRoutes(deps), ...createActivityRoutes(deps)]
}

function createTrailRoutes({ db }: Dependencies): readonly Route[] {
  return createListRoutes({
    list: listAudit,
    read: async ({ query }) => {
      const rows = await selectRows(db, query)
      const persons = await findPersons(
        db,
        rows.flatMap(({ actor_id }) => (actor_id === null ? [] : [actor_id])),
      )
      const entries = rows.map((row): AuditEntry => {
        const actor = persons.get(row.actor_id ?? '')
        return { ...toEntry(row), ...(actor === undefined ? {} : { actor }) }
      })
      const next = rows.length === query.limit ? (rows.at(-1)?.id ?? null) : null
      return {
        entries: await replaceReferencesByTexts(db, entries),
        meta: { next, actions: [...AUDIT_ACTIONS] },
      }
    },
    csv: {
      endpoint: exportAudit,
      fileName: 'audit.csv',
      audit: 'audit.export',
      columns: AUDIT_COLUMNS,
      toRequest: ({ query }, { limit, after }) => ({ query: { ...query, limit, before: after } }),
      toPage: ({ entries, meta }) => ({ rows: entries, next: meta.next }),
    },
  })
}

const ACTIVITY_COLUMNS: Columns<Activity> = {
  Time: ({ at }) => at,
  Action: ({ action }) => action,
  'IP address': ({ ip }) => ip,
  Subject: ({ subject }) => subject,
  Result: ({ result }) => result,
}

function createActivityRoutes({ db }: Dependencies): readonly Route[] {
  return createListRoutes({
    list: listMyActivity,
    read: async ({ query }, exchange) => {
      const { userId } = getCaller(exchange)
      const { rows, next } = await listOwnActivity(db, { userId, ...query })
      return { activity: [...rows], meta: { next } }
    },
    csv: {
      endpoint: exportMyActivity,
      fileName: 'activity.csv',
      audit: null,
      columns: ACTIVITY_COLUMNS,
      toRequest: (_request, { limit, after }) => ({ query: { limit, before: after } }),
      toPage: ({ activity, meta }) => ({ rows: activity, next: meta.next }),
    },
  })
}

/** Returns a user's own actions and the login attempts for the user's account, newest first. */
export async function listOwnActivity(
  db: Database,
  { userId, limit, before }: { userId: string; limit: number; before?: string | undefined },
): Promise<RowPage<Activity>> {
  let page = db
    .selectFrom('platform.audit')
    .selectAll()
    // A failed login has no actor, so the query finds it by its subject.
    .where((where) =>
      where.or([
        where('actor_id', '=', userId),
        where.and([where('actor_id', 'is', null), where('subject', '=', userId)]),
      ]),
    )
    .where(excludeCompletedAttempts)
    .orderBy('id', 'desc')
    .limit(limit)
  if (before !== undefined) page = page.where('id', '<', before)
  const rows = await page.execute()
  const next = rows.length === limit ? (rows.at(-1)?.id ?? null) : null
  return { rows: rows.map(toActivity), next }
}

interface Filter {
  limit: number
  before?: string | undefined
  actor?: string | undefined
  action?: string | undefined
  subject?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

function selectRows(db: Database, filter: Filter): Promise<Row[]> {
  const { before, actor, action, subject, from, to } = filter
  let page = db
    .selectFrom('platform.audit')
    .selectAll()
    .where(excludeCompletedAttempts)
    .orderBy('id', 'desc')
    .limit(filter.limit)
  if (before !== undefined) page = page.where('id', '<', before)
  if (actor !== undefined) page = page.where('actor_id', '=', actor)
  if (subject !== undefined) page = page.where('subject', '=', subject)
  if (action !== undefined) {
    page = page.where(sql<boolean>`(action = ${action} or action like ${`${action}.%`})`)
  }
  if (from !== undefined) page = page.where('recorded_at', '>=', new Date(from))
  if (to !== undefined) page = page.where('recorded_at', '<', new Date(to))
  return page.execute()
}

/**
 * Returns the condition that excludes a row with an attempt if a second row has the result of this
 * attempt.
 */
function excludeCompletedAttempts() {
  return sql<boolean>`not (audit.result = ${ATTEMPTED} and exists (
    select from platform.audit as completed where completed.attempt_id = audit.id))`
}

function toEntry(row: Row): AuditEntry {
  // The cast is safe because `recordAudit` writes the details as an object.
  const details = row.details as Record<string, unknown>
  const { event } = details
  return {
    id: row.id,
    _id: row.id,
    at: row.recorded_at.toISOString(),
    action: row.action,
    subject: row.subject,
    ip: row.ip,
    requestId: row.request_id,
    result: row.result,
    event: typeof event === 'string' ? event : null,
    details,
  }
}

function toActivity(row: Row): Activity {
  const { id, action, ip, subject, result } = row
  return { id, _id: id, at: row.recorded_at.toISOString(), action, ip, subject, result }
}
