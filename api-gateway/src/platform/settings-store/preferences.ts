import { DEFAULT_PREFERENCES, Preferences } from '@cairn/gateway-contracts'
import type { Database } from '../database/database.ts'

/** Returns the user's preferences. A preference that is not stored has its default. */
export async function readPreferences(db: Database, userId: string): Promise<Preferences> {
  const row = await db
    .selectFrom('platform.preference')
    .select('content')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return mergePreferences(row?.content)
}

export function mergePreferences(stored: unknown): Preferences {
  const chosen = typeof stored === 'object' ? stored : {}
  return Preferences.parse({ ...DEFAULT_PREFERENCES, ...chosen })
}
