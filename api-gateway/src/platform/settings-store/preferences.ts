import { DEFAULT_PREFERENCES, Preferences } from '@cairn/gateway-contracts'
import type { Database } from '../database/database.ts'

/** The stored preferences, with defaults for the missing ones. */
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
