import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../database/database.ts'

const LOOK_MS = 500

class OtherLedger extends Error {
  override readonly name = 'OtherLedger'
}

/** As `claimLedger`, once there is a database: at boot it may come later than the gateway. */
export async function claimLedgerWhenThere(
  db: Database,
  { ledger, log }: { ledger: number; log: Logger },
): Promise<void> {
  for (let looks = 0; ; looks += 1) {
    try {
      return await claimLedger(db, ledger)
    } catch (error) {
      if (error instanceof OtherLedger) throw error
      if (looks === 0) log.warn({ err: error }, 'the database does not answer yet')
      await delay(LOOK_MS)
    }
  }
}

/**
 * Makes a site without people the site of this ledger. A person belongs to one ledger for good, so
 * with another one than theirs the site does not start.
 */
export async function claimLedger(db: Database, ledger: number): Promise<void> {
  await db
    .insertInto('platform.site')
    .values({ id: 'site', ledger_id: ledger })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const other = await db
    .selectFrom('platform.site')
    .select('ledger_id')
    .where('ledger_id', '<>', ledger)
    .unionAll(
      db
        .selectFrom('identity.user')
        .select('ledger_id')
        .where('ledger_id', '<>', ledger)
        // Administrators hold no wallet: one may be made before the first start.
        .where('role', '=', 'user'),
    )
    .limit(1)
    .executeTakeFirst()
  if (other === undefined) return
  const { ledger_id: theirs } = other
  throw new OtherLedger(
    `The people of this site belong to ledger ${theirs}: start it with LEDGER=${theirs}, not ${ledger}.`,
  )
}
