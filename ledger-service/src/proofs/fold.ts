import { parseFact } from '@cairn/ledger-contracts'
import type pg from 'pg'
import { readEnvelope, type StoredEvent } from '../log/envelope.ts'
import type { Model, PlacedEvent } from '../log/model.ts'
import { type Columns, getKey, type Row, type Table } from '../log/table.ts'
import type { View } from '../log/view.ts'
import { copyRows } from '../service/database/copy-rows.ts'

/** All projections computed from the log, by table and key. */
export type Folded = ReadonlyMap<Table, Map<string, object>>

/** Computes all projections from the stored bytes of the log with the evolvers of the model. */
export async function foldLog(
  client: pg.ClientBase,
  options: {
    ledger: number
    size: bigint
    model: Model
    /** Called with the state before each event. The fold waits for a returned promise. */
    beforeEvent?: (event: StoredEvent, placed: PlacedEvent, view: View) => Promise<void> | undefined
    /** Called with the state after the last event. */
    afterLast?: (view: View) => Promise<void>
    onProgress?: (done: bigint, of: bigint) => void
  },
): Promise<Folded> {
  const { ledger, size, model, beforeEvent, afterLast, onProgress } = options
  const { view, rows } = createEmptyView(model.tables)
  let next = 0n
  // Makes the planner use the index, because a sort would write the whole log to temporary files
  // before the first row.
  await client.query('set local enable_sort = off')
  const events = copyRows(
    client,
    `select bytes from ledger.event
     where ledger_id = ${Number(ledger)} and seq >= 0 and seq < ${BigInt(size)} order by seq`,
    (row) => readEnvelope(row.readBytes()),
  )
  for await (const page of events) {
    for (const event of page) {
      const { seq, actor, postings, control } = event
      if (seq !== next) throw new Error(`event ${next} is missing; run verify`)
      const fact = parseFact(event.type, event.data)
      const recordedAtMs = Date.parse(event.recordedAt)
      const effectiveAtMs = Date.parse(event.effectiveAt)
      const placed = { fact, postings, seq, actor, recordedAtMs, effectiveAtMs, control }
      const waiting = beforeEvent?.(event, placed, view)
      if (waiting !== undefined) await waiting
      model.evolve(placed, view)
      next += 1n
    }
    onProgress?.(next, size)
  }
  if (next < size) throw new Error(`event ${next} is missing; run verify`)
  await afterLast?.(view)
  return rows
}

/** Creates a view that holds all rows, so a row that no event has created does not exist. */
function createEmptyView(tables: readonly Table[]): { view: View; rows: Folded } {
  const rows = new Map<Table, Map<string, object>>(tables.map((table) => [table, new Map()]))
  function getRows(table: Table): Map<string, object> {
    const known = rows.get(table)
    if (known === undefined) throw new Error(`unknown state table ${table.name}`)
    return known
  }
  const find = <C extends Columns>(table: Table<C>, key: string) =>
    // The cast holds because rows are stored under their own table.
    (getRows(table).get(key) ?? null) as Row<C> | null
  return {
    rows,
    view: {
      find,
      peek: find,
      put: (table, row) => void getRows(table).set(getKey(table, row), row),
    },
  }
}
