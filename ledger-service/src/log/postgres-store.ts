import type { Durability } from '@cairn/ledger-contracts'
import type pg from 'pg'
import { commitConfirmed, confirmDurability } from '../service/database/confirmed.ts'
import type { ConnectionPair, OpenPair } from './connection-pairs.ts'
import { isKeyConflict, toAppendError } from './database-error.ts'
import { findLeaf, holdsHead, takeHead } from './head.ts'
import { createPlacedPairs } from './placed-pairs.ts'
import { nameStatement, nameTable, type Shards } from './shards.ts'
import type { BatchOutcome, BatchStatement } from './statement.ts'
import { RefusedData, type SettledRows, type Store, type StoreSession } from './store.ts'
import { type BatchRows, formatColumns, getColumnName } from './table.ts'

interface StoreOptions {
  ledger: number
  statement: BatchStatement
  /**
   * True if the clock of the writer is compared with the clock of the database. False in tests that
   * move the clock.
   */
  isClockChecked: boolean
  /**
   * `Model.version` of this process. If a newer version is in force, this process cannot take over
   * the log.
   */
  modelVersion: number
  /** The required durability of commits. The default is `local`. */
  durability?: Durability
  /**
   * Throws `LostEvents` if the log lacks events that were signed. Runs on the connection that took
   * over the log, because another connection can reach another server.
   */
  requireSigned?: (client: pg.ClientBase) => Promise<void>
}

/** By default, each session has connections of its own. */
export function createPostgresStore(
  options: StoreOptions & { databaseUrl: string; openPair?: OpenPair | undefined },
): Store {
  const { databaseUrl, openPair = createPlacedPairs({ databaseUrl, max: Infinity }) } = options
  return { open: async () => createSession(options, await openPair(options.ledger)) }
}

function createSession(options: StoreOptions, pair: ConnectionPair): StoreSession {
  const { ledger, statement, isClockChecked, modelVersion, durability = 'local' } = options
  const { reader, writer, shards, runOnWriter } = pair
  const corkReads = createWriteDelay(reader)
  let replanAt = 0n
  let ready: { rows: BatchRows; written: ReturnType<BatchStatement> } | null = null

  /** Throws RefusedData for a row that cannot be encoded, such as a number out of range. */
  function encodeRows(rows: BatchRows): ReturnType<BatchStatement> {
    try {
      return statement(rows)
    } catch (error) {
      throw new RefusedData('a row of the batch cannot be encoded', { cause: error })
    }
  }

  return {
    takeHead: (nowMs) =>
      runOnWriter(async () => {
        const head = await takeHead(writer, {
          ledger,
          nowMs: isClockChecked ? nowMs : null,
          modelVersion,
          durability,
          shards,
        })
        await options.requireSigned?.(writer)
        return head
      }),
    holdsHead: (head) => runOnWriter(() => holdsHead(writer, head, shards)),
    confirm: () => runOnWriter(() => confirmDurability(writer)),
    findLeaf: (seq) => runOnWriter(() => findLeaf(writer, { ledger, seq, shards })),
    loadRows: async (table, keys) => {
      corkReads()
      const { rows } = await reader.query({
        name: nameStatement(`load-${table.name}`, shards),
        text: `select found.* from unnest($2::text[]) as wanted(key) cross join lateral (
                 select ${formatColumns(Object.keys(table.columns))} from ${nameTable(table.name, shards)}
                 where ledger_id = $1 and ${getColumnName(table.key ?? '')} = wanted.key
                 limit 1) as found`,
        values: [ledger, keys],
      })
      return rows
    },
    loadAll: async (table) => {
      const { rows } = await reader.query(
        `select ${formatColumns(Object.keys(table.columns))} from ${nameTable(table.name, shards)} where ledger_id = $1`,
        [ledger],
      )
      return rows
    },
    loadSettled: (hashes) => {
      corkReads()
      return loadSettled(reader, { ledger, hashes, shards })
    },
    prepare: (rows) => {
      if (ready?.rows === rows) return
      try {
        ready = { rows, written: encodeRows(rows) }
      } catch {
        // The error is ignored here, because `append` encodes the rows again and reports the error
        // to its caller.
        ready = null
      }
    },
    append: async (move, rows) => {
      if (move.size >= replanAt) {
        // Plans that were made for small tables can scan large tables, so all plans are discarded
        // as the log grows.
        replanAt = move.size * 2n
        await reader.query('discard plans')
      }
      const written = ready?.rows === rows ? ready.written : encodeRows(rows)
      ready = null
      try {
        const {
          rows: [answer],
        } = await runOnWriter(() =>
          commitConfirmed(writer, () =>
            writer.query<BatchOutcome>(written(move, { isClockChecked, shards })),
          ),
        )
        if (answer?.isPlaced === false) {
          throw new Error(`the rows of ledger ${ledger} have moved to another node`)
        }
        if (answer?.isAhead === true) return 'clock'
        if (answer?.written === 1) return 'written'
        return answer?.isUsed === true ? 'conflict' : 'fenced'
      } catch (error) {
        if (isKeyConflict(error)) return 'conflict'
        throw toAppendError(error)
      }
    },
    close: pair.release,
  }
}

/**
 * Returns a function that delays socket writes until the next tick, so that all queries of this
 * tick are sent in one write.
 */
function createWriteDelay({ connection }: pg.Client): () => void {
  let isHeld = false
  return () => {
    if (isHeld) return
    isHeld = true
    connection.stream.cork()
    process.nextTick(() => {
      isHeld = false
      connection.stream.uncork()
    })
  }
}

type SettledRow = { idempotencyHash: Buffer; requestHash: Buffer } & (
  | { code: null; bytes: Buffer }
  | Omit<SettledRows['refusals'][number], 'idempotencyHash' | 'requestHash'>
)

async function loadSettled(
  client: pg.Client,
  { ledger, hashes, shards }: { ledger: number; hashes: readonly Buffer[]; shards: Shards | null },
): Promise<SettledRows> {
  const { rows } = await client.query<SettledRow>({
    name: nameStatement('settled', shards),
    text: `select wanted.hash as "idempotencyHash", found.* from unnest($2::bytea[]) as wanted(hash)
           cross join lateral (
             (select request_hash as "requestHash", bytes,
                null as code, null as message, null::jsonb as details, null::bigint as place
              from ${nameTable('event', shards)} where ledger_id = $1 and idempotency_hash = wanted.hash limit 1)
             union all
             (select request_hash, bytes, code, message, details, place
              from ${nameTable('refusal', shards)} where ledger_id = $1 and idempotency_hash = wanted.hash limit 1)
           ) as found`,
    values: [ledger, hashes],
  })
  return {
    events: rows.filter((row) => row.code === null),
    refusals: rows.filter((row) => row.code !== null),
  }
}
