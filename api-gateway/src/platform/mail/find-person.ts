import type { Database } from '../database/database.ts'

export async function findPerson(
  db: Database,
  userId: string,
): Promise<{ name: string; email: string } | null> {
  const row = await db
    .selectFrom('identity.user')
    .select(['name', 'email'])
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}
