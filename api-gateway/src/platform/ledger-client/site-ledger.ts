import { sql } from 'kysely'
import type { Database } from '../database/database.ts'

/**
 * Assigns this ledger to a new site. Throws if the first ledger of the site is another one, or if
 * the site has users of a ledger that it does not have, because users cannot change their ledger.
 */
export async function claimLedger(db: Database, ledger: number): Promise<void> {
  await db
    .insertInto('platform.site')
    .values({ id: 'site', ledger_id: ledger })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await requireSiteLedger(db, ledger)
  await db
    .insertInto('platform.ledger')
    .values({
      ledger_id: ledger,
      name: `Ledger ${ledger}`,
      is_open: true,
      added_at: sql<Date>`now()`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const other = await db
    .selectFrom('identity.user')
    .select('ledger_id')
    .where(sql<boolean>`ledger_id not in (select ledger_id from platform.ledger)`)
    // Administrators have no wallet, so they do not belong to a ledger.
    .where('role', '=', 'user')
    .limit(1)
    .executeTakeFirst()
  if (other !== undefined) throw createLedgerMismatch(other.ledger_id, ledger)
}

/**
 * Throws if the first ledger of the site is another ledger. The worker calls this function, because
 * only the gateway assigns a ledger to a site.
 */
export async function requireSiteLedger(db: Database, ledger: number): Promise<void> {
  const site = await db.selectFrom('platform.site').select('ledger_id').executeTakeFirst()
  if (site !== undefined && site.ledger_id !== ledger)
    throw createLedgerMismatch(site.ledger_id, ledger)
}

/** Lists the numbers of the ledgers that were added to the site after its first ledger. */
export async function listFurtherLedgers(db: Database): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('platform.ledger')
    .select('ledger_id')
    .where(sql<boolean>`ledger_id not in (select ledger_id from platform.site)`)
    .orderBy('ledger_id')
    .execute()
  return rows.map(({ ledger_id }) => ledger_id)
}

function createLedgerMismatch(theirs: number, given: number): Error {
  return new Error(
    `The users of this site belong to ledger ${theirs}: start the site with LEDGER=${theirs}, not ${given}.`,
  )
}
