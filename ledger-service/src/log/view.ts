import {
  type BatchRows,
  type Columns,
  checkRow,
  getInsertOnly,
  getKey,
  type Row,
  type Table,
} from './table.ts'

/**
 * Gives a decider the row of a table that has a given key. `find` and `peek` throw for a row with
 * an invalid value; `find` also throws for a row that was not loaded.
 */
export interface View {
  find<C extends Columns>(table: Table<C>, key: string): Row<C> | null
  /**
   * Like `find`, but returns undefined if the row is not loaded. There are two safe uses. In `needs`,
   * undefined means that the row must be loaded first. For a pinned table, all rows are loaded, so
   * undefined means that there is no row. Elsewhere, a row that exists would be taken for absent.
   */
  peek<C extends Columns>(table: Table<C>, key: string): Row<C> | null | undefined
  put<C extends Columns>(table: Table<C>, row: Row<C>): void
}

export interface Need {
  table: Table
  key: string
  /**
   * True if the command creates the row whenever it is recorded. Such a row may be assumed absent,
   * because the statement fails if the row exists.
   */
  isCreated?: true
}

/** A view with its own changes. These changes can be applied to the view below or discarded. */
export interface Fork extends View {
  /** True if the fork has its own version of the row, so that the row need not be loaded. */
  has(need: Need): boolean
  apply(): void
}

export interface Cache extends View {
  /**
   * Returns the needs whose rows are not known. An assumed absence is enough for a row that the
   * command creates, unless `isLookedUp`.
   */
  listMissingNeeds(needs: readonly Need[], isLookedUp: boolean): readonly Need[]
  /** Assumes that the row does not exist, unless the row is known. */
  assumeAbsent(need: Need): void
  /** True if the row was assumed absent, and was neither loaded nor created since. */
  isAssumed(need: Need): boolean
  /** Stores a loaded row. Null means that the table has no row with this key. */
  load(table: Table, key: string, row: object | null): void
  /**
   * Returns the rows that changed since the last call of `closeChanges`. New rows are under the
   * insert-only table of their table.
   */
  getChanges(): BatchRows
  /** Returns a view on this cache whose changes can be discarded. */
  fork(): Fork
  /** Returns the changes since the last call, and begins new changes. */
  closeChanges(): Changes
  /** Takes back the changes since the last call of `closeChanges`, and then the changes `closed`. */
  undoChanges(closed: Changes): void
  /**
   * Evicts the oldest rows beyond the limit, except the rows in `kept` and the rows of pinned
   * tables. An evicted row is loaded again when it is needed.
   */
  evict(kept: Changes): void
}

/** For each table and key, the row that a batch changed and the row before its first change. */
export type Changes = ReadonlyMap<Table, ReadonlyMap<string, Change>>

interface Change {
  /**
   * The row before the change. If the row did not exist: null, `ASSUMED`, or undefined if its
   * absence was never looked up.
   */
  readonly before: object | null | undefined
  row: object
}

/** The tables of a cache. All rows of a pinned table are loaded before the first decision. */
export interface CachedTables {
  tables: readonly Table[]
  pinned: readonly Table[]
}

export const ROWS_PER_TABLE_MAX = 200_000

/** The value in the cache for a row that is assumed absent. */
const ASSUMED = Object.freeze({})

/** The value in the cache for a row that has an invalid value. */
class CorruptRow extends Error {}

/**
 * Creates the writer's cache, which contains committed rows and rows that pending batches change.
 */
export function createCache(
  { tables, pinned }: CachedTables,
  rowsPerTableMax = ROWS_PER_TABLE_MAX,
): Cache {
  const rows = new Map<Table, Map<string, object | null>>(tables.map((table) => [table, new Map()]))
  let changes = new Map<Table, Map<string, Change>>()

  function getRows(table: Table): Map<string, object | null> {
    const known = rows.get(table)
    if (known === undefined) throw new Error(`unknown state table ${table.name}`)
    return known
  }

  function getTableChanges(table: Table): Map<string, Change> {
    const known = changes.get(table) ?? new Map<string, Change>()
    changes.set(table, known)
    return known
  }

  const peek: View['peek'] = <C extends Columns>(table: Table<C>, key: string) => {
    const row = getRows(table).get(key)
    if (row === ASSUMED) return null
    if (row instanceof CorruptRow) throw row
    // The cast is safe, because the rows of each table are stored separately.
    return row as Row<C> | null | undefined
  }

  const view: View = {
    peek,
    find: (table, key) => {
      const row = peek(table, key)
      if (row === undefined)
        throw new Error(`${table.name} ${key} was not loaded before the decision`)
      return row
    },
    put: (table, row) => {
      const key = getKey(table, row)
      const byKey = getRows(table)
      const known = getTableChanges(table)
      const change = known.get(key)
      if (change === undefined) known.set(key, { before: byKey.get(key), row })
      else change.row = row
      byKey.set(key, row)
    },
  }

  return {
    ...view,
    fork: () => forkView(view),
    listMissingNeeds: (needs, isLookedUp) =>
      needs.filter(({ table, key, isCreated = false }) => {
        const row = getRows(table).get(key)
        return row === undefined || (row === ASSUMED && (isLookedUp || !isCreated))
      }),
    assumeAbsent: ({ table, key }) => {
      const byKey = getRows(table)
      if (!byKey.has(key)) byKey.set(key, ASSUMED)
    },
    isAssumed: ({ table, key }) => getRows(table).get(key) === ASSUMED,
    load: (table, key, row) => void getRows(table).set(key, requireLoadedRow(table, row)),
    getChanges: () => new Map([...changes].flatMap(listChangedRows)),
    closeChanges: () => {
      const closed = changes
      changes = new Map()
      return closed
    },
    undoChanges: (closed) => {
      for (const undone of [changes, closed]) {
        for (const [table, byKey] of undone) {
          for (const [key, { before }] of byKey) {
            if (before === undefined) getRows(table).delete(key)
            else getRows(table).set(key, before)
          }
        }
      }
      changes = new Map()
    },
    evict: (kept) => {
      for (const [table, byKey] of rows) {
        if (byKey.size <= rowsPerTableMax || pinned.includes(table)) continue
        const keep = kept.get(table)
        for (const key of byKey.keys()) {
          if (byKey.size <= rowsPerTableMax / 2) break
          if (keep?.has(key) !== true) byKey.delete(key)
        }
      }
    },
  }
}

function listChangedRows([table, changed]: readonly [
  Table,
  ReadonlyMap<string, Change>,
]): (readonly [Table, readonly object[]])[] {
  const added: object[] = []
  const replaced: object[] = []
  for (const { before, row } of changed.values()) {
    const isNew = before === null || before === undefined || before === ASSUMED
    if (isNew) added.push(row)
    else replaced.push(row)
  }
  return [
    [getInsertOnly(table), added],
    [table, replaced],
  ]
}

function requireLoadedRow(table: Table, row: object | null): object | null {
  if (row === null) return null
  try {
    return checkRow(table, row)
  } catch (error) {
    return new CorruptRow('a stored row is invalid', { cause: error })
  }
}

/** Creates a view that reads from `base`. Its changes reach `base` only when they are applied. */
export function forkView(base: View): Fork {
  const changed = new Map<Table, Map<string, object>>()

  function getOwnRow<C extends Columns>(table: Table<C>, key: string): Row<C> | undefined {
    // The cast is safe, because the rows of each table are stored separately.
    return changed.get(table)?.get(key) as Row<C> | undefined
  }

  return {
    peek: (table, key) => getOwnRow(table, key) ?? base.peek(table, key),
    find: (table, key) => getOwnRow(table, key) ?? base.find(table, key),
    put: (table, row) => {
      const rows = changed.get(table) ?? new Map<string, object>()
      changed.set(table, rows.set(getKey(table, row), row))
    },
    has: ({ table, key }) => changed.get(table)?.has(key) === true,
    apply: () => {
      for (const [table, rows] of changed) {
        // The cast is safe, because the rows of each table are stored separately.
        for (const row of rows.values()) base.put(table, row as Row<Columns>)
      }
    },
  }
}
