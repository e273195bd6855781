import { parseFact } from '@cairn/ledger-contracts'
import type pg from 'pg'
import { readEvent } from '../log/envelope.ts'
import type { Model } from '../log/model.ts'
import { type Columns, keyOf, type Row, type Table } from '../log/table.ts'
import type { View } from '../log/view.ts'

const PAGE = 2_000

/** Every projection as the log alone makes it: by table, then by key. */
export type Folded = ReadonlyMap<Table, ReadonlyMap<string, object>>

/** Lets the whole log happen again, from the stored bytes, with the rules that made it. */
export async function foldLog(
  client: pg.ClientBase,
  options: {
    ledger: number
    size: bigint
    model: Model
    onProgress?: (done: bigint, of: bigint) => void
  },
): Promise<Folded> {
  const { ledger, size, model, onProgress } = options
  const { view, rows } = emptyView(model.tables)
  for (let next = 0n; next < size; ) {
    const page = await client.query<{ bytes: Buffer }>({
      name: 'fold-page',
      text: `select bytes from ledger.event where ledger_id = $1 and seq >= $2 and seq < $3
             order by seq limit $4`,
      values: [ledger, next, size, PAGE],
    })
    if (page.rows.length === 0) throw new Error(`event ${next} is missing; run verify`)
    for (const { bytes } of page.rows) {
      const event = readEvent(bytes)
      const { seq, actor, postings } = event
      const fact = parseFact(event.type, event.data)
      const recordedAtMs = Date.parse(event.recordedAt)
      const effectiveAtMs = Date.parse(event.effectiveAt)
      model.evolve({ fact, postings, seq, actor, recordedAtMs, effectiveAtMs }, view)
    }
    next += BigInt(page.rows.length)
    onProgress?.(next, size)
  }
  return rows
}

/** Nothing is unknown here: what no event has made does not exist. */
function emptyView(tables: readonly Table[]): { view: View; rows: Folded } {
  const rows = new Map<Table, Map<string, object>>(tables.map((table) => [table, new Map()]))
  function rowsOf(table: Table): Map<string, object> {
    const known = rows.get(table)
    if (known === undefined) throw new Error(`no state table ${table.name}`)
    return known
  }
  const find = <C extends Columns>(table: Table<C>, key: string) =>
    // Rows enter under their own table only, so the shape is the table's.
    (rowsOf(table).get(key) ?? null) as Row<C> | null
  return {
    rows,
    view: {
      find,
      peek: find,
      put: (table, row) => void rowsOf(table).set(keyOf(table, row), row),
    },
  }
}
