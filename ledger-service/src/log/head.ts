import type pg from 'pg'
import type { Head } from './batch.ts'
import { EMPTY_FRONTIER, packFrontier, rootOf, unpackFrontier } from './merkle.ts'

interface HeadRow {
  size: bigint
  root: Buffer
  frontier: Buffer
  epoch: bigint
  last_recorded_at: number
  database_now: number
}

const CLOCK_DIFFERENCE_MAX_MS = 5_000

/**
 * Increments the epoch, so that writers with an older epoch can no longer write. Waits for a
 * statement that is still running, so the returned size and root are final.
 */
export async function takeHead(
  client: pg.Client,
  /** `nowMs` is compared with the clock of the database, unless it is null. */
  { ledger, nowMs }: { ledger: number; nowMs: number | null },
): Promise<Head> {
  const empty = [ledger, rootOf(EMPTY_FRONTIER), packFrontier(EMPTY_FRONTIER)]
  await client.query(
    `insert into ledger.head (ledger_id, size, root, frontier, epoch, last_recorded_at)
     values ($1, 0, $2, $3, 0, to_timestamp(0)) on conflict do nothing`,
    empty,
  )
  const { rows } = await client.query<HeadRow>(
    `update ledger.head set epoch = epoch + 1 where ledger_id = $1
     returning size, root, frontier, epoch, last_recorded_at, clock_timestamp() as database_now`,
    [ledger],
  )
  const [row] = rows
  if (row === undefined) throw new Error(`ledger ${ledger} has no head`)

  const frontier = unpackFrontier(row.size, row.frontier)
  if (!rootOf(frontier).equals(row.root)) {
    throw new Error(`ledger ${ledger}: the stored root does not match the stored frontier`)
  }
  const difference = nowMs === null ? 0 : Math.abs(row.database_now - nowMs)
  if (difference > CLOCK_DIFFERENCE_MAX_MS) {
    throw new Error(
      `the clocks of this machine and of the database differ by ${difference} ms; ` +
        `synchronize them (limit: ${CLOCK_DIFFERENCE_MAX_MS} ms)`,
    )
  }
  return { ledger, epoch: row.epoch, frontier, lastRecordedAtMs: row.last_recorded_at }
}

/** True if no writer has taken the head or appended events since this head was read. */
export async function holdsHead(client: pg.Client, head: Head): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'holds-head',
    text: 'select from ledger.head where ledger_id = $1 and epoch = $2 and size = $3',
    values: [head.ledger, head.epoch, head.frontier.size],
  })
  return rowCount === 1
}

/** Returns the leaf hash of the event at `seq`, or null if the log does not contain it. */
export async function findLeaf(
  client: pg.Client,
  place: { ledger: number; seq: bigint },
): Promise<Buffer | null> {
  const { rows } = await client.query<{ leaf_hash: Buffer }>(
    'select leaf_hash from ledger.event where ledger_id = $1 and seq = $2',
    [place.ledger, place.seq],
  )
  return rows[0]?.leaf_hash ?? null
}
