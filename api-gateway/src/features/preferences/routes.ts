import {
  DEFAULT_PREFERENCES,
  getPreferences,
  type ParsedRequestOf,
  putPreferences,
} from '@cairn/gateway-contracts'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { declareRoute, getCaller, type Route } from '../../platform/http/registry.ts'
import { readPreferences, toPreferences } from '../../platform/settings-store/preferences.ts'

type PreferenceChange = ParsedRequestOf<typeof putPreferences>['body']

export function createPreferenceRoutes({ db }: Dependencies): readonly Route[] {
  return [
    declareRoute(
      getPreferences,
      { rate: 'read', owner: 'own', audit: null },
      async (_request, exchange) => ({
        preferences: await readPreferences(db, getCaller(exchange).userId),
      }),
    ),
    declareRoute(
      putPreferences,
      { rate: 'write', owner: 'own', audit: 'preferences.change' },
      async ({ body }, exchange) => {
        const { userId } = getCaller(exchange)
        const row = await savePreferences(db, { userId, body, nowMs: exchange.nowMs })
        exchange.note({ subject: userId, ...omitUndefined(body) })
        return { preferences: toPreferences(row) }
      },
    ),
  ]
}

/**
 * Stores the given preferences and keeps all others. The database merges them, so that a write at
 * the same time, such as an unsubscription, is not undone.
 */
function savePreferences(
  db: Database,
  { userId, body, nowMs }: { userId: string; body: PreferenceChange; nowMs: number },
) {
  const { furtherTables: _none, ...defaults } = DEFAULT_PREFERENCES
  const { furtherTables = {}, tables = {}, ...changed } = omitUndefined(body)
  const change = JSON.stringify(changed)
  const changedTables = JSON.stringify(tables)
  const updated_at = new Date(nowMs)
  return db
    .insertInto('platform.preference')
    .values({
      user_id: userId,
      content: JSON.stringify({ ...defaults, ...changed, tables }),
      further_tables: JSON.stringify(furtherTables),
      updated_at,
    })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({
        content: sql`platform.preference.content || ${change}::jsonb || jsonb_build_object(
          'tables',
          coalesce(platform.preference.content -> 'tables', '{}') || ${changedTables}::jsonb
        )`,
        further_tables: sql`platform.preference.further_tables || excluded.further_tables`,
        updated_at,
      }),
    )
    .returning(['content', 'further_tables'])
    .executeTakeFirstOrThrow()
}

/** Returns the object without keys that have the value undefined. */
function omitUndefined<T extends object>(
  choices: T,
): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  const given = Object.entries(choices).filter(([, value]) => value !== undefined)
  // The cast is safe because the entries come from `choices`, without undefined values.
  return Object.fromEntries(given) as { [Key in keyof T]?: Exclude<T[Key], undefined> }
}
