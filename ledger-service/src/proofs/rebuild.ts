import type pg from 'pg'
import { createFencingToken } from '../log/fencing-token.ts'
import { requireModel } from '../log/head.ts'
import type { Model } from '../log/model.ts'
import { getColumnName, getSqlType } from '../log/table.ts'
import { listWrongTotals } from '../queries/accounts/past-totals.ts'
import { withOwnerPool } from '../service/database/owner-pool.ts'
import { compareTable, type Difference, listDifferences } from './compare-projections.ts'
import { foldLog } from './fold.ts'
import { createFoldedRows } from './folded-rows.ts'

export interface Rebuilt {
  events: bigint
  /** The number of rows of all projections computed from the log. */
  rows: number
  /** The table and the key of each stored row that differs from the computed row. */
  differences: readonly string[]
  isRepaired: boolean
}

const DIFFERENCES_MAX = 100
const REPAIR_PAGE = 1_000

/**
 * Computes all projections from the log and compares them with the stored projections. With
 * `isRepairing`, corrects the differences in one transaction, which replaces the fencing token, so
 * that a running writer discards its cache.
 */
export function rebuildProjections(pool: pg.Pool, options: RebuildOptions): Promise<Rebuilt> {
  return withOwnerPool(pool, options.ledger, (own) => rebuildOnOwner(own, options))
}

interface RebuildOptions {
  ledger: number
  model: Model
  isRepairing: boolean
  onProgress?: (done: bigint, of: bigint) => void
}

async function rebuildOnOwner(pool: pg.Pool, options: RebuildOptions): Promise<Rebuilt> {
  const { ledger, model, isRepairing } = options
  const client = await pool.connect()
  try {
    // A comparison takes no locks. A repair locks the head, so that no batch commits during the
    // repair.
    await client.query(isRepairing ? 'begin' : 'begin isolation level repeatable read read only')
    await client.query('set local statement_timeout = 0')
    const size = await readHeadSize(client, { ledger, model, isRepairing })
    using rows = createFoldedRows(model.tables)
    await foldLog(client, { ...options, size, rows })
    const count = rows.countRows()
    const found: Difference[] = []
    for (const table of model.tables) {
      found.push(await compareTable(client, { ledger, table, rows }))
    }
    const wrongTotals = await listWrongTotals(client, { ledger })
    if (isRepairing) {
      for (const table of found) await repairTable(client, { ledger, ...table })
      await removeTotals(client, { ledger, sizes: wrongTotals })
    }
    await client.query('commit')
    const differences = [
      ...found.flatMap(listDifferences),
      ...wrongTotals.map((size) => `past_total ${size} differs from the log`),
    ]
    const isRepaired = isRepairing && differences.length > 0
    return {
      events: size,
      rows: count,
      differences: differences.slice(0, DIFFERENCES_MAX),
      isRepaired,
    }
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

async function readHeadSize(
  client: pg.PoolClient,
  { ledger, model, isRepairing }: { ledger: number; model: Model; isRepairing: boolean },
): Promise<bigint> {
  const text = isRepairing
    ? `update ledger.head set previous_token = fencing_token, fencing_token = $2
       where ledger_id = $1 and model <= $3 returning size`
    : 'select size from ledger.head where ledger_id = $1'
  const values = isRepairing ? [ledger, createFencingToken(), model.version] : [ledger]
  const { rows } = await client.query<{ size: bigint }>(text, values)
  const [head] = rows
  if (head !== undefined) return head.size
  await requireModel(client, { ledger, own: model.version })
  return 0n
}

async function repairTable(
  client: pg.PoolClient,
  { ledger, table, wrong, extra }: Difference & { ledger: number },
): Promise<void> {
  const columns = Object.entries(table.columns)
  const names = columns.map(([name]) => getColumnName(name))
  const key = table.key === null || table.key === '' ? [] : [getColumnName(table.key)]
  const selected = columns.map(([name, type]) =>
    getSqlType(type) === 'timestamptz'
      ? `to_timestamp((row ->> '${name}')::float8 / 1000)`
      : `(row ->> '${name}')::${getSqlType(type)}`,
  )
  const updates = names.filter((name) => !key.includes(name))
  for (let at = 0; at < wrong.length; at += REPAIR_PAGE) {
    await client.query(
      `insert into ledger.${table.name} (ledger_id, ${names.join(', ')})
       select $1, ${selected.join(', ')} from jsonb_array_elements($2::jsonb) as row
       on conflict (${['ledger_id', ...key].join(', ')}) do update
       set ${updates.map((name) => `${name} = excluded.${name}`).join(', ')}`,
      [ledger, JSON.stringify(wrong.slice(at, at + REPAIR_PAGE), convertBigint)],
    )
  }
  if (extra.length === 0) return
  const where = key.length === 0 ? 'true' : `${key[0]} = any($2)`
  await client.query(
    `delete from ledger.${table.name} where ledger_id = $1 and ${where}`,
    key.length === 0 ? [ledger] : [ledger, extra],
  )
}

/** Removes stored sums. The service stores the right ones again. */
async function removeTotals(
  client: pg.PoolClient,
  { ledger, sizes }: { ledger: number; sizes: readonly bigint[] },
): Promise<void> {
  await client.query(
    'delete from ledger.past_total where ledger_id = $1 and size = any($2::bigint[])',
    [ledger, sizes],
  )
}

function convertBigint(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}
