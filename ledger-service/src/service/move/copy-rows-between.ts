import type pg from 'pg'
import { getColumnName, type Table } from '../../log/table.ts'

/** The events of one transaction, and the rows of one message. */
const EVENTS_AT_ONCE = 1_000
const ROWS_AT_ONCE = 2_000

/** The connections of a copy. */
export interface Copying {
  readonly source: pg.Client
  readonly target: pg.Client
  readonly ledger: number
}

/**
 * Copies the events from `from` to `size`, with their postings and the subtrees that they complete.
 * Each part is committed, so that an interrupted copy continues.
 */
export async function copyEvents(
  copying: Copying,
  { from, size }: { from: bigint; size: bigint },
): Promise<void> {
  const { target } = copying
  for (let first = from; first < size; first += BigInt(EVENTS_AT_ONCE)) {
    const end = first + BigInt(EVENTS_AT_ONCE)
    const range = [first, end < size ? end : size]
    await target.query('begin')
    await copyRange(copying, { table: 'event', where: 'seq >= $2 and seq < $3', range })
    // The trigger that requires a sum of zero sees all postings of an event in one statement.
    await copyRange(copying, { table: 'posting', where: 'seq >= $2 and seq < $3', range })
    await copyRange(copying, { table: 'subtree', where: COMPLETED_SUBTREES, range })
    await target.query('commit')
  }
}

/** The subtrees whose last leaf is in the range, by the primary key. */
const COMPLETED_SUBTREES = `(level, idx) in (
  select level, idx from generate_series(0, 62) as level
    cross join lateral generate_series($2::bigint >> level, ($3::bigint >> level) - 1) as idx)`

async function copyRange(
  { source, target, ledger }: Copying,
  { table, where, range }: { table: string; where: string; range: readonly bigint[] },
): Promise<void> {
  const { rows } = await source.query<{ rows: string | null }>(
    `select json_agg(found)::text as rows from ledger.${table} as found
     where ledger_id = $1 and ${where}`,
    [ledger, ...range],
  )
  const [found] = rows
  if (typeof found?.rows !== 'string') return
  await target.query(formatInsert(table, 'nothing'), [found.rows])
}

/** Copies the rows that match, and keeps the rows that the target has. For append-only tables. */
export async function copyMissingRows(
  copying: Copying,
  table: string,
  where = 'true',
): Promise<void> {
  await copyAll(copying, { table, where, conflict: 'nothing' })
}

/** Copies all rows, and replaces the rows of the target that differ. */
export async function copyCurrentRows(copying: Copying, table: Table): Promise<void> {
  const names = Object.keys(table.columns).map(getColumnName)
  const key = ['ledger_id', ...(table.key === '' ? [] : [getColumnName(table.key ?? '')])]
  await copyAll(copying, {
    table: table.name,
    where: 'true',
    conflict: { key, changed: names.filter((name) => !key.includes(name)) },
  })
}

type Conflict = 'nothing' | { key: readonly string[]; changed: readonly string[] }

async function copyAll(
  { source, target, ledger }: Copying,
  { table, where, conflict }: { table: string; where: string; conflict: Conflict },
): Promise<void> {
  await source.query(
    `declare moved no scroll cursor for select row_to_json(found)::text as row
     from ledger.${table} as found where ledger_id = ${Number(ledger)} and ${where}`,
  )
  for (;;) {
    const { rows } = await source.query<{ row: string }>(`fetch ${ROWS_AT_ONCE} from moved`)
    if (rows.length === 0) break
    await target.query(formatInsert(table, conflict), [`[${rows.map(({ row }) => row).join()}]`])
  }
  await source.query('close moved')
}

function formatInsert(table: string, conflict: Conflict): string {
  return (
    `insert into ledger.${table} as stored
     select * from json_populate_recordset(null::ledger.${table}, $1::json)` +
    ` on conflict ${conflict === 'nothing' ? 'do nothing' : formatUpdate(conflict)}`
  )
}

function formatUpdate({ key, changed }: Exclude<Conflict, 'nothing'>): string {
  const [stored, excluded] = ['stored', 'excluded'].map((row) =>
    changed.map((name) => `${row}.${name}`).join(),
  )
  return (
    `(${key.join()}) do update set ${changed.map((name) => `${name} = excluded.${name}`).join()}` +
    ` where (${stored}) is distinct from (${excluded})`
  )
}
