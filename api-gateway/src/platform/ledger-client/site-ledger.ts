import type { Database } from '../database/database.ts'

/**
 * Assigns this ledger to a new site. Throws if the site has users of another ledger, because users
 * cannot change their ledger.
 */
export async function claimLedger(db: Database, ledger: number): Promise<void> {
  await db
    .insertInto('platform.site')
    .values({ id: 'site', ledger_id: ledger })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await requireSiteLedger(db, ledger)
  const other = await db
    .selectFrom('identity.user')
    .select('ledger_id')
    .where('ledger_id', '<>', ledger)
    // Administrators have no wallet, so they do not belong to a ledger.
    .where('role', '=', 'user')
    .limit(1)
    .executeTakeFirst()
  if (other !== undefined) throw createLedgerMismatch(other.ledger_id, ledger)
}

/**
 * Throws if the site is assigned to a ledger other than this ledger. The worker calls this
 * function, because only the gateway assigns a ledger to a site.
 */
export async function requireSiteLedger(db: Database, ledger: number): Promise<void> {
  const site = await db.selectFrom('platform.site').select('ledger_id').executeTakeFirst()
  if (site !== undefined && site.ledger_id !== ledger)
    throw createLedgerMismatch(site.ledger_id, ledger)
}

function createLedgerMismatch(theirs: number, given: number): Error {
  return new Error(
    `The users of this site belong to ledger ${theirs}: start the site with LEDGER=${theirs}, not ${given}.`,
  )
}
