import type pg from 'pg'
import type { Model } from '../log/model.ts'
import { columnName, keyOf, sqlType, type Table } from '../log/table.ts'
import { type Folded, foldLog } from './fold.ts'

export interface Rebuilt {
  events: bigint
  /** Rows of all projections, as the log makes them. */
  rows: number
  /** What the stored projections said differently, by table and key. */
  differences: readonly string[]
  isRepaired: boolean
}

const DIFFERENCES_MAX = 100
const REPAIR_PAGE = 1_000

/**
 * Folds the log into a second set of projections and compares; with `isRepairing` puts right what
 * differs, in one transaction. The epoch moves with it, so a running writer forgets what it held.
 */
export async function rebuildProjections(
  pool: pg.Pool,
  options: {
    ledger: number
    model: Model
    isRepairing: boolean
    onProgress?: (done: bigint, of: bigint) => void
  },
): Promise<Rebuilt> {
  const { ledger, model, isRepairing } = options
  const client = await pool.connect()
  try {
    // Without repairs nobody is made to wait; with them, no batch commits in between.
    await client.query(isRepairing ? 'begin' : 'begin isolation level repeatable read read only')
    await client.query('set local statement_timeout = 0')
    const size = await headSize(client, { ledger, isRepairing })
    const folded = await foldLog(client, { ...options, size })
    const found: Difference[] = []
    for (const table of model.tables) {
      found.push(await compareTable(client, { ledger, table, folded }))
    }
    if (isRepairing) for (const table of found) await repairTable(client, { ledger, ...table })
    await client.query('commit')
    const differences = found.flatMap(({ table, wrong, extra }) => [
      ...wrong.map((row) => `${table.name} ${keyOf(table, row)} is not what the log says`),
      ...extra.map((key) => `${table.name} ${key} stands in no event`),
    ])
    const rows = [...folded.values()].reduce((sum, table) => sum + table.size, 0)
    const isRepaired = isRepairing && differences.length > 0
    return { events: size, rows, differences: differences.slice(0, DIFFERENCES_MAX), isRepaired }
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

async function headSize(
  client: pg.PoolClient,
  { ledger, isRepairing }: { ledger: number; isRepairing: boolean },
): Promise<bigint> {
  const text = isRepairing
    ? 'update ledger.head set epoch = epoch + 1 where ledger_id = $1 returning size'
    : 'select size from ledger.head where ledger_id = $1'
  const { rows } = await client.query<{ size: bigint }>(text, [ledger])
  return rows[0]?.size ?? 0n
}

interface Difference {
  table: Table
  /** The rows as the log makes them. */
  wrong: readonly Record<string, unknown>[]
  extra: readonly string[]
}

async function compareTable(
  client: pg.PoolClient,
  { ledger, table, folded }: { ledger: number; table: Table; folded: Folded },
): Promise<Difference> {
  const expected = folded.get(table) ?? new Map<string, object>()
  const columns = Object.keys(table.columns)
  const { rows } = await client.query<Record<string, unknown>>(
    `select ${columns.map((name) => `${columnName(name)} as "${name}"`).join(', ')}
     from ledger.${table.name} where ledger_id = $1`,
    [ledger],
  )
  const stored = new Map(rows.map((row) => [keyOf(table, row), row]))
  const wrong = Array.from(expected, ([key, row]) => ({ key, row: row as Record<string, unknown> }))
    .filter(({ key, row }) => columns.some((name) => stored.get(key)?.[name] !== row[name]))
    .map(({ row }) => row)
  const extra = [...stored.keys()].filter((key) => !expected.has(key))
  return { table, wrong, extra }
}

async function repairTable(
  client: pg.PoolClient,
  { ledger, table, wrong, extra }: Difference & { ledger: number },
): Promise<void> {
  const columns = Object.entries(table.columns)
  const names = columns.map(([name]) => columnName(name))
  const key = table.key === null || table.key === '' ? [] : [columnName(table.key)]
  const selected = columns.map(([name, type]) =>
    sqlType(type) === 'timestamptz'
      ? `to_timestamp((row ->> '${name}')::float8 / 1000)`
      : `(row ->> '${name}')::${sqlType(type)}`,
  )
  const updates = names.filter((name) => !key.includes(name))
  for (let at = 0; at < wrong.length; at += REPAIR_PAGE) {
    await client.query(
      `insert into ledger.${table.name} (ledger_id, ${names.join(', ')})
       select $1, ${selected.join(', ')} from jsonb_array_elements($2::jsonb) as row
       on conflict (${['ledger_id', ...key].join(', ')}) do update
       set ${updates.map((name) => `${name} = excluded.${name}`).join(', ')}`,
      [ledger, JSON.stringify(wrong.slice(at, at + REPAIR_PAGE), plain)],
    )
  }
  if (extra.length === 0) return
  const where = key.length === 0 ? 'true' : `${key[0]} = any($2)`
  await client.query(
    `delete from ledger.${table.name} where ledger_id = $1 and ${where}`,
    key.length === 0 ? [ledger] : [ledger, extra],
  )
}

function plain(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}
