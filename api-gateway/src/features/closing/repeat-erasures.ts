import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { repeatErasure } from './deletion.ts'

/**
 * Erases the data of deleted people again, if a restored backup of the site contains it. Returns
 * the number of these people. Must run before a process shows or sends anything.
 */
export async function repeatErasures(
  deps: Pick<Dependencies, 'db' | 'objects'>,
  nowMs: number,
): Promise<number> {
  let count = 0
  for (const person of await listRestoredPeople(deps.db)) {
    if (await repeatErasure(deps, { ...person, nowMs })) count += 1
  }
  return count
}

/**
 * Throws if the database contains the data of a deleted person. Only a gateway may erase such data.
 */
export async function requireErasures(db: Database): Promise<void> {
  const { length } = await listRestoredPeople(db)
  if (length === 0) return
  throw new Error(
    `the restored database contains ${length} deleted people: start a gateway first, which deletes them again`,
  )
}

function listRestoredPeople(db: Database): Promise<readonly { userId: string; erasedAt: Date }[]> {
  return db
    .selectFrom('person_keys.erasure as erasure')
    .innerJoin('identity.user as user', 'user.id', 'erasure.user_id')
    .select(['erasure.user_id as userId', 'erasure.erased_at as erasedAt'])
    .where('user.deleted_at', 'is', null)
    .execute()
}
