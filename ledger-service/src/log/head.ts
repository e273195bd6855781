import type { Durability } from '@cairn/ledger-contracts'
import type pg from 'pg'
import { commitConfirmed } from '../service/database/confirmed.ts'
import { OutdatedModel } from './deposed.ts'
import { requireDurability } from './durability.ts'
import { createFencingToken } from './fencing-token.ts'
import {
  computeRoot,
  EMPTY_FRONTIER,
  type Frontier,
  packFrontier,
  unpackFrontier,
} from './merkle.ts'
import { EMPTY_CHAIN, type RefusalChain } from './refusal-chain.ts'
import { createSealError, findSealKind } from './seal.ts'
import { formatPlacementCheck, nameStatement, nameTable, type Shards } from './shards.ts'

/**
 * The state of the log. A writer receives this state when it takes over the log. Each batch of the
 * writer replaces the state.
 */
export interface Head {
  ledger: number
  /** The fencing token that the writer set when it took over the log. */
  token: bigint
  /** The token that `token` replaced. */
  previousToken: bigint
  frontier: Frontier
  refusals: RefusalChain
  /**
   * True if an event contains the hash of `refusals`, or if there are no refusals. A writer that
   * takes over the log does not read the newest event, so the value is false if there are refusals.
   */
  areRefusalsSealed: boolean
  /** The version of the rules in force. */
  model: number
  lastRecordedAtMs: number
}

interface HeadRow {
  size: bigint
  root: Buffer
  frontier: Buffer
  token: bigint
  previousToken: bigint
  refusalCount: bigint
  refusalHash: Buffer
  model: number
  lastRecordedAt: number
  databaseNow: number
}

/** The largest accepted difference between the clocks of the writer and of the database. */
export const CLOCK_DIFFERENCE_MAX_MS = 5_000

/**
 * Takes over the log: replaces the fencing token with a new random token, so that writers with an
 * older token can no longer write. Waits for a statement that is still running, so the returned
 * size and root are final. Throws `OutdatedModel` if a newer version of the rules is in force. The
 * commit is confirmed, so all events up to that size are durable. Throws if the required durability
 * does not hold, the clocks differ too much, or the newest event has a time in the future.
 */
export async function takeHead(
  client: pg.Client,
  options: {
    ledger: number
    /**
     * The clock of this process, which is compared with the clock of the database. Null omits the
     * comparison.
     */
    nowMs: number | null
    /** The newest version of the rules that this writer knows. */
    modelVersion: number
    durability: Durability
    shards?: Shards | null
  },
): Promise<Head> {
  const { ledger, nowMs, modelVersion, durability, shards = null } = options
  const table = nameTable('head', shards)
  await requireDurability(client, durability)
  const empty = [
    ledger,
    computeRoot(EMPTY_FRONTIER),
    packFrontier(EMPTY_FRONTIER),
    EMPTY_CHAIN.count,
    EMPTY_CHAIN.hash,
  ]
  await client.query(
    `insert into ${table}
       (ledger_id, size, root, frontier, refusal_count, refusal_hash,
        fencing_token, previous_token, model, last_recorded_at)
     select $1::int, 0, $2, $3, $4, $5, 0, 0, 1, to_timestamp(0)
     ${shards === null ? '' : `where ${formatPlacementCheck(shards)}`} on conflict do nothing`,
    empty,
  )
  const { rows } = await commitConfirmed(client, () =>
    client.query<HeadRow>(
      `update ${table} set previous_token = fencing_token, fencing_token = $2
       where ledger_id = $1 and model <= $3${formatGuard(shards)}
       returning size, root, frontier, fencing_token as token, previous_token as "previousToken",
         refusal_count as "refusalCount", refusal_hash as "refusalHash", model,
         last_recorded_at as "lastRecordedAt", clock_timestamp() as "databaseNow"`,
      [ledger, createFencingToken(), modelVersion],
    ),
  )
  const [row] = rows
  if (row === undefined) {
    await requireModel(client, { ledger, own: modelVersion })
    throw new Error(`ledger ${ledger} has no head`)
  }

  const frontier = unpackFrontier(row.size, row.frontier)
  if (!computeRoot(frontier).equals(row.root)) {
    throw new Error(`ledger ${ledger}: the stored root does not match the stored frontier`)
  }
  if (nowMs !== null) assertClocks(row, nowMs)
  const { token, previousToken, lastRecordedAt: lastRecordedAtMs } = row
  const refusals = { count: row.refusalCount, hash: row.refusalHash }
  const areRefusalsSealed = refusals.count === 0n
  const { model } = row
  return {
    ledger,
    token,
    previousToken,
    frontier,
    refusals,
    areRefusalsSealed,
    model,
    lastRecordedAtMs,
  }
}

/** Throws an error if the head is sealed, or `OutdatedModel` if a newer version of the rules is in force. */
export async function requireModel(
  client: pg.ClientBase,
  { ledger, own }: { ledger: number; own: number },
): Promise<void> {
  const { rows } = await client.query<{ model: number }>(
    'select model from ledger.head where ledger_id = $1 and model > $2',
    [ledger, own],
  )
  const [newer] = rows
  if (newer === undefined) return
  const seal = findSealKind(newer.model)
  if (seal !== null) throw createSealError(ledger, seal)
  throw new OutdatedModel({ ledger, found: newer.model, own })
}

function assertClocks({ databaseNow, lastRecordedAt }: HeadRow, nowMs: number): void {
  const difference = Math.abs(databaseNow - nowMs)
  if (difference > CLOCK_DIFFERENCE_MAX_MS) {
    throw new Error(
      `the clocks of this machine and of the database differ by ${difference} ms; ` +
        `synchronize them (limit: ${CLOCK_DIFFERENCE_MAX_MS} ms)`,
    )
  }
  const ahead = lastRecordedAt - databaseNow
  if (ahead > CLOCK_DIFFERENCE_MAX_MS) {
    throw new Error(
      `the time of the newest event is ${ahead} ms ahead of the clock of the database; ` +
        'correct the clock, or wait until the clock has passed the time of the event',
    )
  }
}

function formatGuard(shards: Shards | null): string {
  return shards === null ? '' : ` and (select ${formatPlacementCheck(shards)})`
}

/**
 * True if, since this head was read, no writer has taken over the log and no events were appended.
 */
export async function holdsHead(
  client: pg.Client,
  head: Head,
  shards: Shards | null = null,
): Promise<boolean> {
  const { rowCount } = await client.query({
    name: nameStatement('holds-head', shards),
    text: `select from ${nameTable('head', shards)}
           where ledger_id = $1 and fencing_token = $2 and size = $3 and root = $4
           ${formatGuard(shards)}`,
    values: [head.ledger, head.token, head.frontier.size, computeRoot(head.frontier)],
  })
  return rowCount === 1
}

/** Returns the leaf hash of the event at `seq`, or null if the log does not contain it. */
export async function findLeaf(
  client: pg.Client,
  place: { ledger: number; seq: bigint; shards?: Shards | null },
): Promise<Buffer | null> {
  const { rows } = await client.query<{ leaf_hash: Buffer }>(
    `select leaf_hash from ${nameTable('event', place.shards ?? null)}
     where ledger_id = $1 and seq = $2`,
    [place.ledger, place.seq],
  )
  return rows[0]?.leaf_hash ?? null
}
