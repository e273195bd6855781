import { DEFAULT_PREFERENCES, Preferences } from '@cairn/gateway-contracts'
import type { Database } from '../database/database.ts'

/** Returns the user's preferences. A preference that is not stored has its default. */
export async function readPreferences(db: Database, userId: string): Promise<Preferences> {
  const row = await db
    .selectFrom('platform.preference')
    .select(['content', 'further_tables'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row === undefined ? DEFAULT_PREFERENCES : toPreferences(row)
}

/** The columns of a user's preferences. */
interface PreferenceRow {
  content: unknown
  further_tables: unknown
}

export function toPreferences({ content, further_tables }: PreferenceRow): Preferences {
  const chosen = typeof content === 'object' ? content : {}
  return Preferences.parse({ ...DEFAULT_PREFERENCES, ...chosen, furtherTables: further_tables })
}
