import type { LedgerClient, RecordedEvent } from '@cairn/ledger-contracts'
import type { Clock } from '@cairn/service-kit/clock'
import type { Database, DatabaseTransaction } from '../database/database.ts'

const EVENTS_PER_PAGE = 500
const WAIT_SECONDS = 10

export interface Follower {
  /** The name of the follower, which is also the key of its cursor row. */
  name: string
  /**
   * Handles the events of a page. Writes through `trx` are committed with the cursor, so they
   * happen once. All other effects can happen again after a crash. `traceparents` contains the
   * traces of events by `seq`, as far as they are known.
   */
  handle(
    events: readonly RecordedEvent[],
    trx: DatabaseTransaction,
    traceparents: Readonly<Record<string, string>>,
  ): Promise<void>
}

/** Reads the events after the cursor, handles them in order, and moves the cursor. */
export async function followOnce(
  deps: { db: Database; ledger: LedgerClient; clock: Clock },
  follower: Follower,
  signal: AbortSignal,
): Promise<void> {
  const { db } = deps
  const after = await readCursor(db, follower.name)
  const { events, traceparents = {} } = await deps.ledger.events({
    after,
    waitSeconds: WAIT_SECONDS,
    limit: EVENTS_PER_PAGE,
    signal,
  })
  const last = events.at(-1)
  if (last === undefined) return
  const nowMs = deps.clock.now()
  await db.transaction().execute(async (trx) => {
    // If two workers have read the same page, the second worker finds that the cursor has moved,
    // and does not handle the page.
    const isMine = await moveCursor(trx, { name: follower.name, from: after, to: last.seq, nowMs })
    if (isMine) await follower.handle(events, trx, traceparents)
  })
}

async function readCursor(db: Database, name: string): Promise<bigint> {
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
