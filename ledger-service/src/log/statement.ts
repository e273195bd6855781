import { encodeBinaryArray } from './binary-array.ts'
import { CLOCK_DIFFERENCE_MAX_MS } from './head.ts'
import type { RefusalChain } from './refusal-chain.ts'
import { formatPlacementCheck, nameTable, type Shards } from './shards.ts'
import {
  type BatchRows,
  type Columns,
  getColumnName,
  getInsertOnly,
  getSqlType,
  getStoredTable,
  type Table,
} from './table.ts'
import { eventTable, refusalTable } from './tables.ts'

export interface HeadMove {
  ledger: number
  /** The fencing token that the writer set when it took over the log. */
  token: bigint
  fromSize: bigint
  fromRoot: Buffer
  size: bigint
  root: Buffer
  frontier: Buffer
  fromRefusals: RefusalChain
  refusals: RefusalChain
  /** The version of the rules in force after the batch. */
  model: number
  lastRecordedAtMs: number
}

export interface StatementOptions {
  /**
   * True if the clock of the writer is compared with the clock of the database. False only in tests
   * and in the demo, which move the clock of the writer.
   */
  isClockChecked: boolean
  /** The shards that contain the rows of the ledger. By default, there are none. */
  shards?: Shards | null
}

/** The row that the statement returns. */
export interface BatchOutcome {
  written: number
  isAhead: boolean
  isUsed: boolean
  /** False if the shards are on another node. True if there are none. */
  isPlaced: boolean
}

/**
 * A function that takes the rows of a batch and returns a function that takes the change to the
 * head. The returned function gives the prepared statement that writes both.
 */
export type BatchStatement = (
  rows: BatchRows,
) => (
  move: HeadMove,
  options: StatementOptions,
) => { name: string; text: string; values: unknown[] }

const HEAD_PARAMETERS = 13

/**
 * Creates one statement per set of changed tables. For each table, one clause inserts the new rows
 * and one clause replaces the known rows. Each clause depends on the compare-and-set of the head,
 * so a writer that lost the fence writes to no table. The statement returns one row. `written` is 1
 * only if the batch was written. `isAhead` is true if the batch was not written because its time is
 * ahead of the clock of the database. `isUsed` is true if the batch was not written because a
 * stored refusal has the idempotency key of a new event, or a stored event has the key of a new
 * refusal. The statement compares these keys, because a unique constraint covers only one table.
 * With shards, the statement writes to the tables of the shards, on the node that has them, and only
 * while they are there. There is one statement per shard.
 */
export function createBatchStatement(tables: readonly Table[]): BatchStatement {
  const known = new Map<string, { name: string; text: string }>()
  const targets = tables.flatMap((table) =>
    table.key === null ? [table] : [getInsertOnly(table), table],
  )
  return (rows) => {
    const changed = targets.filter((table) => (rows.get(table)?.length ?? 0) > 0)
    const clauses = changed.map(formatClauseName).join()
    const columns = encodeColumns(changed, rows)
    return (move, { isClockChecked, shards = null }) => {
      const key = shards === null ? clauses : `${shards.head} ${clauses}`
      const written = known.get(key) ?? {
        name: `append-${known.size}`,
        text: createStatementText(changed, shards),
      }
      known.set(key, written)
      return {
        ...written,
        values: [...listHeadValues(move), isClockChecked, ...listRefusalValues(move), ...columns],
      }
    }
  }
}

const IS_AHEAD =
  '($9::boolean and to_timestamp($6::float8 / 1000) > ' +
  `now() + interval '${CLOCK_DIFFERENCE_MAX_MS} ms')`

function createStatementText(tables: readonly Table[], shards: Shards | null): string {
  let next = HEAD_PARAMETERS + 1
  const used: string[] = []
  const inserts = tables.map((table) => {
    const first = next
    const properties = Object.keys(table.columns)
    next += properties.length
    const other = OTHER_KEYS.get(table)
    if (other !== undefined) {
      used.push(
        createUsedQuery(
          nameTable(other.name, shards),
          first + properties.indexOf('idempotencyHash'),
        ),
      )
    }
    return createInsertClause(table, { firstParameter: first, shards })
  })
  const isUsed = used.length === 0 ? 'false' : 'exists (select from used)'
  const isPlaced = shards === null ? 'true' : '(select is_held from placed)'
  return `
    with ${used.length === 0 ? '' : `used as (${used.join(' union all ')} limit 1), `}${
      shards === null
        ? ''
        : `placed as materialized (select ${formatPlacementCheck(shards)} as is_held), `
    }head as (
      update ${nameTable('head', shards)} set size = $3, root = $4, frontier = $5,
        refusal_count = $10, refusal_hash = $11, model = $13,
        last_recorded_at = to_timestamp($6::float8 / 1000)
      where ledger_id = $1 and size = $2 and fencing_token = $7 and root = $8
        and refusal_hash = $12 and not ${IS_AHEAD} and not ${isUsed}${
          shards === null ? '' : ` and ${isPlaced}`
        }
      returning ledger_id
    ), ${inserts.join(', ')}
    select count(*)::int as written, ${IS_AHEAD} as "isAhead", ${isUsed} as "isUsed",
      ${isPlaced} as "isPlaced" from head`
}

/** For each table with idempotency keys, the other table, which must not contain the same keys. */
const OTHER_KEYS: ReadonlyMap<Table, Table> = new Map<Table, Table>([
  [eventTable, refusalTable],
  [refusalTable, eventTable],
])

/**
 * Returns a query that finds new keys which the other table already contains. The query sees all
 * keys that were stored before the head last changed. If another writer stores a key later, the
 * head changes and the batch is not written.
 */
function createUsedQuery(other: string, parameter: number): string {
  return `select 1 as found from unnest($${parameter}::bytea[]) as added(idempotency_hash)
    where exists (select from ${other} as stored
      where stored.ledger_id = $1 and stored.idempotency_hash = added.idempotency_hash)`
}

function createInsertClause(
  table: Table<Columns>,
  { firstParameter, shards }: { firstParameter: number; shards: Shards | null },
): string {
  const columns = Object.entries(table.columns)
  const names = columns.map(([property]) => getColumnName(property))
  const arrays = columns.map(([, column], index) => {
    const type = getSqlType(column) === 'jsonb' ? 'text' : getSqlType(column)
    return `$${firstParameter + index}::${type}[]`
  })
  const selected = columns.map(([property, column]) =>
    getSqlType(column) === 'jsonb'
      ? `added.${getColumnName(property)}::jsonb`
      : getColumnName(property),
  )
  return `${formatClauseName(table)} as (
      insert into ${nameTable(table.name, shards)} (ledger_id, ${names.join(', ')})
      select head.ledger_id, ${selected.join(', ')}
      from head, unnest(${arrays.join(', ')}) as added(${names.join(', ')})
      ${createConflictClause(table, names)}
    )`
}

function formatClauseName(table: Table): string {
  return getStoredTable(table) === table ? `${table.name}_rows` : `${table.name}_added`
}

function createConflictClause(table: Table, names: readonly string[]): string {
  if (table.key === null) return ''
  const key = table.key === '' ? [] : [getColumnName(table.key)]
  const updated = names.filter((name) => !key.includes(name))
  const assignments = updated.map((name) => `${name} = excluded.${name}`)
  return `on conflict (${['ledger_id', ...key].join(', ')}) do update set ${assignments.join(', ')}`
}

function listHeadValues(move: HeadMove): unknown[] {
  return [
    move.ledger,
    move.fromSize,
    move.size,
    move.root,
    move.frontier,
    move.lastRecordedAtMs,
    move.token,
    move.fromRoot,
  ]
}

function listRefusalValues({ refusals, fromRefusals, model }: HeadMove): unknown[] {
  return [refusals.count, refusals.hash, fromRefusals.hash, model]
}

function encodeColumns(tables: readonly Table[], rows: BatchRows): Buffer[] {
  return tables.flatMap((table) => {
    const added = rows.get(table) ?? []
    return Object.entries(table.columns).map(([property, column]) =>
      encodeBinaryArray(
        getSqlType(column),
        added.map((row) => (row as Record<string, unknown>)[property]),
      ),
    )
  })
}
