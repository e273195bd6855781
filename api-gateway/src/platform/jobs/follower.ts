import type { LedgerClient, RecordedEvent } from '@cairn/ledger-contracts'
import type { Clock } from '@cairn/service-kit/clock'
import type { Database, DatabaseTransaction } from '../database/database.ts'
import { toSiteNumbers } from '../ledger-client/event-number.ts'

const EVENTS_PER_PAGE = 500
const WAIT_SECONDS = 10

export interface Follower {
  /** The name of the follower. With the ledger, it is the key of the cursor. */
  name: string
  /**
   * Handles the events of a page. Writes through `trx` are committed with the cursor, so they
   * happen once. All other effects can happen again after a crash. The events have their numbers in
   * the site. `traceparents` contains the traces of events by `seq`, as far as they are known.
   */
  handle(
    events: readonly RecordedEvent[],
    trx: DatabaseTransaction,
    traceparents: Readonly<Record<string, string>>,
  ): Promise<void>
  /**
   * Deletes all that the follower has stored. A follower that stores sums has this method, because
   * lost events cannot be subtracted from sums. After a fork, it reads all ledgers from the start.
   */
  clear?(trx: DatabaseTransaction): Promise<void>
  /**
   * Deletes what the follower has stored of the events from the number `from` up to, but without,
   * the number `below`. After a fork, it reads the ledger from the fork.
   */
  removeEvents?(trx: DatabaseTransaction, numbers: { from: bigint; below: bigint }): Promise<void>
}

/** A ledger whose events followers read. */
export interface FollowedLedger {
  ledger: LedgerClient
  /** The number of the ledger. Null or omitted for the first ledger of the site. */
  further?: number | null
}

/**
 * Returns the key of the cursor of a follower and a ledger. Names of followers do not contain `@`.
 */
export function getCursorName(follower: string, further: number | null = null): string {
  return further === null ? follower : `${follower}@${further}`
}

/** Reads the events after the cursor, handles them in order, and moves the cursor. */
export async function followOnce(
  deps: { db: Database; clock: Clock } & FollowedLedger,
  follower: Follower,
  signal: AbortSignal,
): Promise<void> {
  const { db, ledger, further = null } = deps
  const name = getCursorName(follower.name, further)
  const after = await readCursor(db, name)
  const page = await ledger.events({
    after,
    waitSeconds: WAIT_SECONDS,
    limit: EVENTS_PER_PAGE,
    signal,
  })
  const last = page.events.at(-1)
  if (last === undefined) return
  const { events, traceparents = {} } = toSiteNumbers(page, further)
  const nowMs = deps.clock.now()
  await db.transaction().execute(async (trx) => {
    // If two workers have read the same page, the second worker finds that the cursor has moved,
    // and does not handle the page.
    const isMine = await moveCursor(trx, { name, from: after, to: last.seq, nowMs })
    if (isMine) await follower.handle(events, trx, traceparents)
  })
}

export async function readCursor(db: Database, name: string): Promise<bigint> {
  const row = await db
    .selectFrom('platform.cursor')
    .select('seq')
    .where('name', '=', name)
    .executeTakeFirst()
  return BigInt(row?.seq ?? -1)
}

async function moveCursor(
  trx: DatabaseTransaction,
  { name, from, to, nowMs }: { name: string; from: bigint; to: bigint; nowMs: number },
): Promise<boolean> {
  const updated_at = new Date(nowMs)
  const moved = await trx
    .insertInto('platform.cursor')
    .values({ name, seq: to, updated_at })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ seq: to, updated_at })
        .where('platform.cursor.seq', '=', String(from)),
    )
    .returning('name')
    .executeTakeFirst()
  return moved !== undefined
}
