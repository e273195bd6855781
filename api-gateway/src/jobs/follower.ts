import type { LedgerClient, RecordedEvent } from '@cairn/ledger-contracts'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/database.ts'

const EVENTS_PER_PAGE = 500
const WAIT_SECONDS = 10

export interface Follower {
  /** Also the name of the cursor's row. */
  name: string
  /** Called again with the same events after a crash: must be repeatable. */
  handle(events: readonly RecordedEvent[]): Promise<void>
}

/** Reads the log from the cursor on, hands it over, and moves the cursor: at least once, in order. */
export async function followOnce(
  deps: { db: Database; ledger: LedgerClient; clock: Clock },
  follower: Follower,
  signal: AbortSignal,
): Promise<void> {
  const after = await readCursor(deps.db, follower.name)
  const { events } = await deps.ledger.events({
    after,
    waitSeconds: WAIT_SECONDS,
    limit: EVENTS_PER_PAGE,
    signal,
  })
  const last = events.at(-1)
  if (last === undefined) return
  await follower.handle(events)
  await moveCursor(deps, follower.name, last.seq)
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
  deps: { db: Database; clock: Clock },
  name: string,
  seq: bigint,
): Promise<void> {
  const updated_at = new Date(deps.clock.now())
  await deps.db
    .insertInto('platform.cursor')
    .values({ name, seq, updated_at })
    .onConflict((conflict) =>
      conflict
        .column('name')
        // A second worker that lags behind must not turn it back.
        .doUpdateSet({ seq, updated_at })
        .where('platform.cursor.seq', '<', String(seq)),
    )
    .execute()
}
