import { getPreferences, putPreferences } from '@cairn/gateway-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { declareRoute, getCaller, type Route } from '../../platform/http/registry.ts'
import { readPreferences } from '../../platform/settings-store/preferences.ts'

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
        const before = await readPreferences(db, userId)
        const tables = { ...before.tables, ...body.tables }
        const preferences = { ...before, ...omitUndefined(body), tables }
        const content = JSON.stringify(preferences)
        const updated_at = new Date(exchange.nowMs)
        await db
          .insertInto('platform.preference')
          .values({ user_id: userId, content, updated_at })
          .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ content, updated_at }))
          .execute()
        exchange.note({ subject: userId, ...omitUndefined(body) })
        return { preferences }
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
