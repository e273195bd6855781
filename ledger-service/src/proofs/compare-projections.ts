import type pg from 'pg'
import {
  type Columns,
  type ColumnType,
  getColumnName,
  getKey,
  getSqlType,
  isNullable,
  type Table,
} from '../log/table.ts'
import { copyRows, type RowReader } from '../service/database/copy-rows.ts'
import type { FoldedRows } from './folded-rows.ts'

/** The differences between the stored rows of a projection and the rows computed from the log. */
export interface Difference {
  table: Table
  /** For each stored row that is wrong or missing, the correct row from the log. */
  wrong: readonly Record<string, unknown>[]
  extra: readonly string[]
}

/**
 * Compares a stored projection with the projection computed from the log, and removes the rows of
 * the computed projection.
 */
export async function compareTable(
  client: pg.ClientBase,
  { ledger, table, rows }: { ledger: number; table: Table; rows: FoldedRows },
): Promise<Difference> {
  const names = Object.keys(table.columns)
  const readers = Object.values(table.columns).map(getColumnReader)
  const keyAt = names.indexOf(table.key ?? '')
  const stored = copyRows(
    client,
    `select ${names.map(getColumnName).join(', ')} from ledger.${table.name}
     where ledger_id = ${Number(ledger)}`,
    (row) => readers.map((read) => read(row)),
  )
  const wrong: Record<string, unknown>[] = []
  const extra: string[] = []
  for await (const page of stored) {
    for (const values of page) {
      const key = keyAt < 0 ? '' : String(values[keyAt])
      // The cast is safe, because each row of a table has the table's columns.
      const row = rows.take(table, key) as Record<string, unknown> | null
      if (row === null) extra.push(key)
      else if (names.some((name, at) => row[name] !== values[at])) wrong.push(row)
    }
  }
  for (const row of rows.list(table)) wrong.push(row as Record<string, unknown>)
  return { table, wrong, extra }
}

/** Returns one sentence for each row that differs. */
export function listDifferences({ table, wrong, extra }: Difference): readonly string[] {
  return [
    ...wrong.map((row) => `${table.name} ${getKey(table, row)} differs from the log`),
    ...extra.map((key) => `${table.name} ${key} is not produced by any event`),
  ]
}

/**
 * Returns a function that reads a column of a projection and returns the value that the column has
 * in memory.
 */
export function getColumnReader(column: Columns[string]): (row: RowReader) => unknown {
  const type = getSqlType(column)
  const read = READERS[type]
  if (read === undefined) throw new Error(`no projection has a column of type ${type}`)
  return isNullable(column) ? (row) => (row.isNull() ? null : read(row)) : read
}

const READERS: Readonly<Partial<Record<ColumnType, (row: RowReader) => unknown>>> = {
  text: (row) => row.readText(),
  int4: (row) => row.readInt4(),
  int8: (row) => row.readInt8(),
  bool: (row) => row.readBool(),
  timestamptz: (row) => row.readMicroseconds() / 1_000,
}
