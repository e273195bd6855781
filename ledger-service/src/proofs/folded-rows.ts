import { type Columns, getKey, type Row, type Table } from '../log/table.ts'
import type { View } from '../log/view.ts'
import { createSpilledRows } from './spilled-rows.ts'

/** All projections computed from the log. Deciders and evolvers use them through `view`. */
export interface FoldedRows extends Disposable {
  view: View
  countRows(): number
  /** Removes a row and returns it. Returns null if no event has created this row. */
  take(table: Table, key: string): object | null
  /** Yields the table and the key of each row. */
  listKeys(): Generator<readonly [table: Table, key: string]>
  /** Yields the rows of a table that `take` has not removed. */
  list(table: Table): Iterable<object>
}

/** The number of changed rows of a table after which older rows are moved to the file. */
const RECENT_ROWS = 100_000
/**
 * A log that visits many more rows in turn than memory holds finds none of them there. If the file
 * has this many times the recent rows of a table, fewer of them stay in memory.
 */
const LARGE_TABLE = 4
/** The part of the recent rows that stays in memory for a large table. */
const LARGE_TABLE_SHARE = 0.1
const READ_ROWS = 1_000

/**
 * Opens an empty set of rows. Rows that were not changed for a while are moved to a temporary file,
 * so the memory does not grow with the log.
 */
export function createFoldedRows(
  tables: readonly Table[],
  recentRows: number = RECENT_ROWS,
): FoldedRows {
  const spilled = createSpilledRows(tables)
  const recent = new Map<Table, Recent>(
    tables.map((table) => [table, { changed: new Map(), before: new Map(), read: new Map() }]),
  )

  function getRecent(table: Table): Recent {
    const known = recent.get(table)
    if (known === undefined) throw new Error(`unknown state table ${table.name}`)
    return known
  }

  const find = <C extends Columns>(table: Table<C>, key: string) => {
    const { changed, before, read } = getRecent(table)
    const row = changed.get(key) ?? before.get(key) ?? read.get(key) ?? readSpilledRow(table, key)
    // The cast is safe, because the rows of each table are stored separately.
    return row as Row<C> | null
  }

  function findSpilledRow(table: Table, key: string): object | null {
    return spilled.getSize() === 0 ? null : spilled.find(table, key)
  }

  function countKeptRows(table: Table): number {
    const isLarge = spilled.countRows(table) > LARGE_TABLE * recentRows
    return isLarge ? recentRows * LARGE_TABLE_SHARE : recentRows
  }

  /**
   * A row that was read from the file stays in memory for a while, because one event needs the same
   * row several times.
   */
  function readSpilledRow(table: Table, key: string): object | null {
    const row = findSpilledRow(table, key)
    if (row === null) return null
    const { read } = getRecent(table)
    if (read.size >= READ_ROWS) read.clear()
    read.set(key, row)
    return row
  }

  /**
   * Moves rows from memory to the file: those that were not changed since the last call of this
   * function.
   */
  function spillRows(table: Table, rows: Recent): void {
    for (const [key, row] of rows.before) spilled.put(table, key, row)
    rows.before = rows.changed
    rows.changed = new Map()
  }

  return {
    view: {
      find,
      peek: find,
      put: (table, row) => {
        const rows = getRecent(table)
        const key = getKey(table, row)
        rows.changed.set(key, row)
        rows.before.delete(key)
        rows.read.delete(key)
        if (rows.changed.size > countKeptRows(table)) spillRows(table, rows)
      },
    },
    countRows: () => {
      let count = spilled.getSize()
      for (const [table, { changed, before }] of recent) {
        for (const rows of [changed, before]) {
          for (const key of rows.keys()) if (findSpilledRow(table, key) === null) count += 1
        }
      }
      return count
    },
    take: (table, key) => {
      const { changed, before, read } = getRecent(table)
      const old = spilled.getSize() === 0 ? null : spilled.take(table, key)
      const row = changed.get(key) ?? before.get(key) ?? old
      changed.delete(key)
      before.delete(key)
      read.delete(key)
      return row
    },
    *listKeys() {
      for (const [table, { changed, before }] of recent) {
        for (const key of changed.keys()) yield [table, key]
        for (const key of before.keys()) yield [table, key]
      }
      for (const { table, row } of spilled.list()) {
        const key = getKey(table, row as Row<Columns>)
        const { changed, before } = getRecent(table)
        if (!changed.has(key) && !before.has(key)) yield [table, key]
      }
    },
    *list(table) {
      const { changed, before } = getRecent(table)
      yield* changed.values()
      yield* before.values()
      for (const { table: of, row } of spilled.list()) {
        const key = getKey(table, row as Row<Columns>)
        if (of === table && !changed.has(key) && !before.has(key)) yield row
      }
    },
    [Symbol.dispose]: () => spilled.close(),
  }
}

interface Recent {
  /**
   * The rows that changed since the last move of rows to the file. The key of the map is the key of
   * the row.
   */
  changed: Map<string, object>
  /**
   * The rows that changed between the last two moves of rows to the file, and not since then. A row
   * that changes again is removed, so that memory does not hold two versions of it.
   */
  before: Map<string, object>
  /** Rows that were read from the file. */
  read: Map<string, object>
}
