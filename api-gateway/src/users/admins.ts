import { sql } from 'kysely'
import type { DatabaseTransaction } from '../database/database.ts'
import type { Dependencies } from '../dependencies.ts'
import { HttpFailure } from '../http/failure.ts'

/** Two administrators are asked for once an amount is set for them and there are two. */
export async function isSecondAdminBinding({
  db,
  ledger,
}: Pick<Dependencies, 'db' | 'ledger'>): Promise<boolean> {
  const { rules } = await ledger.ask('rules', {})
  if (rules.approvalThresholdMinor === null) return false
  const { count } = await db
    .selectFrom('identity.user')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .executeTakeFirstOrThrow()
  return count >= 2
}

/** One at a time: two administrators who remove each other must not both succeed. */
export async function requireAnotherAdmin(
  trx: DatabaseTransaction,
  change: { userId: string; adminId: string },
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('the last administrator'))`.execute(trx)
  const others = await trx
    .selectFrom('identity.user')
    .select('id')
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .where('id', '!=', change.userId)
    .execute()
  if (others.some(({ id }) => id === change.adminId)) return
  const message = 'This is the last active administrator, or you are none any more'
  throw new HttpFailure(409, 'STATUS_CONFLICT', message)
}
