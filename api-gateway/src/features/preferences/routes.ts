import { getPreferences, putPreferences } from '@cairn/gateway-contracts'
import { sql } from 'kysely'
import type { Dependencies } from '../../platform/dependencies.ts'
import { declareRoute, getCaller, type Route } from '../../platform/http/registry.ts'
import { readPreferences, toPreferences } from '../../platform/settings-store/preferences.ts'

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
        const { furtherTables: _stored, ...before } = await readPreferences(db, userId)
        const { furtherTables = {}, ...changed } = omitUndefined(body)
        const tables = { ...before.tables, ...changed.tables }
        const content = JSON.stringify({ ...before, ...changed, tables })
        const further_tables = JSON.stringify(furtherTables)
        const updated_at = new Date(exchange.nowMs)
        const row = await db
          .insertInto('platform.preference')
          .values({ user_id: userId, content, further_tables, updated_at })
          .onConflict((conflict) =>
            conflict.column('user_id').doUpdateSet({
              content,
              further_tables: sql`platform.preference.further_tables || excluded.further_tables`,
              updated_at,
            }),
          )
          .returning(['content', 'further_tables'])
          .executeTakeFirstOrThrow()
        exchange.note({ subject: userId, ...omitUndefined(body) })
        return { preferences: toPreferences(row) }
      },
    ),
  ]
}

/** Returns the object without keys that have the value undefined. */
function omitUndefined<T extends object>(
  choices: T,
): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  const given = Object.entries(choices).filter(([, value]) => value !== undefined)
  // The cast is safe because the entries come from `choices`, without undefined values.
  return Object.fromEntries(given) as { [Key in keyof T]?: Exclude<T[Key], undefined> }
}
