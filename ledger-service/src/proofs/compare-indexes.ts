import type pg from 'pg'
import { model } from '../domain/model.ts'
import { isCitus } from '../log/shards.ts'
import { readCatalog } from './read-catalog.ts'

const LOG_TABLES = [
  'event',
  'posting',
  'refusal',
  'subtree',
  'checkpoint',
  'log_key',
  'trial_balance',
  'past_total',
]
const TABLES: ReadonlySet<string> = new Set([
  ...LOG_TABLES,
  ...model.tables.map(({ name }) => name),
])

/**
 * If the ledger has a smaller part of a table, the rows are counted by any index, because a database
 * can have a thousand ledgers. The counts of two indexes still differ if a row is hidden from one of
 * them, and a row that is hidden from all is missing in the comparison with the log.
 */
const SMALL_PART = 20n

/** The block ranges of BRIN indexes have no rows that could be counted. */
const INDEXES = `
  select tables.relname as "table", indexes.relname as name, indisunique as "isUnique",
    coalesce(pg_get_expr(indpred, indrelid), 'true') as condition,
    tables.reltuples::bigint as "tableRows",
    (select string_agg(pg_get_indexdef(indexrelid, place, true), ', ' order by place)
     from generate_series(1, indnkeyatts::int) as place) as keys
  from pg_index join pg_class as tables on tables.oid = indrelid
    join pg_class as indexes on indexes.oid = indexrelid join pg_am on pg_am.oid = indexes.relam
  where tables.relnamespace = 'ledger'::regnamespace and amname = 'btree'
    and indisvalid and indisready
  order by tables.relname, indexes.relname`

interface Index {
  readonly table: string
  readonly name: string
  readonly isUnique: boolean
  /** The estimated number of rows of all ledgers in the table; -1 if unknown. */
  readonly tableRows: bigint
  /** The condition of the rows that the index has; `true` for all rows. */
  readonly condition: string
  /** The columns or expressions by which the index is sorted. */
  readonly keys: string
}

const SETTINGS = `savepoint before_indexes;
  set local max_parallel_workers_per_gather = 0;
  set local enable_bitmapscan = off; set local enable_sort = off; set local enable_hashagg = off;`
const BY_TABLE = `set local enable_seqscan = on;
  set local enable_indexscan = off; set local enable_indexonlyscan = off`
const BY_INDEX = `set local enable_seqscan = off;
  set local enable_indexscan = on; set local enable_indexonlyscan = on`

/**
 * Compares the number of rows that each index finds with the number in the table. A superuser can
 * switch an index off while a row is inserted: the lists that use the index then omit the row, and
 * an idempotency key is not found again. Also returns a problem for a unique index that has a key
 * more than once. The time is linear in the number of rows.
 *
 * An index that the planner does not choose for its own keys is not counted, such as a partial index
 * of a small table. On Citus, no index is counted, because these settings do not reach its nodes.
 */
export async function findIndexProblems(
  client: pg.ClientBase,
  ledger: number,
): Promise<readonly string[]> {
  if (await isCitus(client)) return []
  await client.query(SETTINGS)
  const indexes = (await readCatalog<Index>(client, INDEXES)).filter(({ table }) =>
    TABLES.has(table),
  )
  const problems: string[] = []
  for (const [table, ofTable] of Map.groupBy(indexes, (index) => index.table)) {
    await client.query(BY_INDEX)
    const found: (Counted | null)[] = []
    for (const index of ofTable) found.push(await countByIndex(client, { ledger, index }))
    const expected = await countByTable(client, { ledger, table, indexes: ofTable, found })
    for (const [place, { name }] of ofTable.entries()) {
      const [counted, rows] = [found[place] ?? null, expected[place]]
      if (counted === null) continue
      if (counted.rows !== rows) {
        problems.push(`the index ${name} has ${counted.rows} of ${rows} rows of ${table}`)
      }
      if (counted.repeated > 0n) {
        problems.push(`${counted.repeated} keys of the index ${name} are stored more than once`)
      }
    }
  }
  await client.query('rollback to savepoint before_indexes')
  return problems
}

interface Counted {
  readonly rows: bigint
  /** The number of keys that more than one row has. */
  readonly repeated: bigint
}

/** Returns, for each of the indexes, how many rows of the table it should have. */
async function countByTable(
  client: pg.ClientBase,
  parts: {
    ledger: number
    table: string
    indexes: readonly Index[]
    found: readonly (Counted | null)[]
  },
): Promise<readonly bigint[]> {
  const { ledger, table, indexes, found } = parts
  const isSmall = indexes.every(
    ({ tableRows }, place) => (found[place]?.rows ?? 0n) * SMALL_PART < tableRows,
  )
  if (!isSmall) await client.query(BY_TABLE)
  const counts = indexes.map(({ condition }) => `count(*) filter (where ${condition})`)
  const { rows } = await client.query<bigint[]>({
    text: `select ${counts.join(', ')} from ledger.${table} where ledger_id = ${Number(ledger)}`,
    rowMode: 'array',
  })
  return rows[0] ?? []
}

/** With `BY_INDEX`, counts the rows in the order of the index. Returns null if the planner does not use the index. */
async function countByIndex(
  client: pg.ClientBase,
  { ledger, index }: { ledger: number; index: Index },
): Promise<Counted | null> {
  const { table, name, isUnique, condition, keys } = index
  const source = `from ledger.${table} where ledger_id = ${Number(ledger)} and (${condition})`
  const query = isUnique
    ? `select coalesce(sum(count), 0)::bigint as rows, count(*) filter (where count > 1) as repeated
       from (select count(*) as count ${source} group by ${keys}) as key`
    : `select count(*) as rows, 0::bigint as repeated from (select ${source} order by ${keys}) as row`
  const { rows: plan } = await client.query(`explain (format json) ${query}`)
  if (!JSON.stringify(plan).includes(`"Index Name":${JSON.stringify(name)}`)) return null
  const { rows } = await client.query<Counted>(query)
  return rows[0] ?? null
}
