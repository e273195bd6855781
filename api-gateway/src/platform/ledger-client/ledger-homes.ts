import type { Clock } from '@cairn/service-kit/clock'
import { createCachedValue } from '../cache.ts'
import type { Database, DatabaseTransaction } from '../database/database.ts'
import { listFurtherLedgers } from './site-ledger.ts'

/** The longest time for which a process uses the list of ledgers that it has read. */
const LIST_MS = 10_000
/**
 * A ledger is given to new people only a minute after it was added. Each process has read the list
 * of ledgers again by then, so none takes such a person for one of the first ledger.
 */
const QUIET_SECONDS = 60
/**
 * A further ledger gets new people only if its copy of plans, rules and approvers was complete within
 * this time. The worker checks it every few seconds.
 */
export const RULES_AGE_MAX_MS = 300_000

/** Knows to which ledger of the site each person belongs. */
export interface LedgerHomes {
  /** Lists the ledgers other than the first one. */
  listFurther(): Promise<readonly number[]>
  /** Returns the ledger of each person who belongs to a further ledger. Others are missing. */
  findFurther(investorIds: readonly string[]): Promise<ReadonlyMap<string, number>>
}

export function createLedgerHomes(db: Database, clock: Clock): LedgerHomes {
  const known = createCachedValue(LIST_MS, () => listFurtherLedgers(db))
  const listFurther = () => known.read(clock.now())
  return {
    listFurther,
    findFurther: async (investorIds) => {
      const further = await listFurther()
      if (further.length === 0 || investorIds.length === 0) return new Map()
      const rows = await db
        .selectFrom('identity.user')
        .select(['id', 'ledger_id'])
        .where('id', 'in', investorIds)
        .where('ledger_id', 'in', further)
        .execute()
      return new Map(rows.map(({ id, ledger_id }) => [id, ledger_id]))
    },
  }
}

/**
 * Returns the ledger for a new person: that of the referrer, because a bonus cannot leave its
 * ledger, or an open one. Returns null if the person gets the first ledger.
 */
export async function chooseLedger(
  trx: DatabaseTransaction,
  { referrerId, nowMs }: { referrerId: string | null; nowMs: number },
): Promise<number | null> {
  if (referrerId !== null) {
    const referrer = await trx
      .selectFrom('identity.user')
      .select('ledger_id')
      .where('id', '=', referrerId)
      .executeTakeFirstOrThrow()
    return referrer.ledger_id
  }
  const open = await trx
    .selectFrom('platform.ledger')
    .select('ledger_id')
    .where('is_open', '=', true)
    .where('added_at', '<', new Date(nowMs - QUIET_SECONDS * 1_000))
    .where(({ or, eb, selectFrom }) =>
      or([
        eb('ledger_id', 'in', selectFrom('platform.site').select('ledger_id')),
        eb('rules_copied_at', '>', new Date(nowMs - RULES_AGE_MAX_MS)),
      ]),
    )
    .orderBy('ledger_id')
    .execute()
  // People are spread over the open ledgers.
  const chosen = open[Math.floor(Math.random() * open.length)]
  return chosen?.ledger_id ?? null
}
