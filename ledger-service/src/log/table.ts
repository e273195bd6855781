/** The types of columns. The SQL and the row types of the ledger schema are derived from them. */
export type ColumnType = 'text' | 'int4' | 'int8' | 'bool' | 'timestamptz' | 'bytea' | 'jsonb'
/** A list of texts means a text column that contains only the listed texts. */
type Column = ColumnType | `${ColumnType}?` | readonly string[]
export type Columns = Record<string, Column>

/** The types in memory. A timestamptz is a number of milliseconds since 1970. */
interface ValueOf {
  text: string
  int4: number
  int8: bigint
  bool: boolean
  timestamptz: number
  bytea: Buffer
  jsonb: string
}
type Value<C> = C extends readonly (infer Choice)[]
  ? Choice
  : C extends `${infer T extends ColumnType}?`
    ? ValueOf[T] | null
    : C extends ColumnType
      ? ValueOf[C]
      : never
export type Row<C extends Columns> = { readonly [Name in keyof C]: Value<C[Name]> }

export interface Table<C extends Columns = Columns> {
  readonly name: string
  readonly columns: C
  /**
   * The property that is the key of a row. Null if rows are only inserted, and '' if the table has
   * one row.
   */
  readonly key: string | null
}
/** For each table, the rows that a batch writes. */
export type BatchRows = ReadonlyMap<Table, readonly object[]>
export type RowOf<T> = T extends Table<infer C> ? Row<C> : never

export function createStateTable<const C extends Columns>(
  name: string,
  key: (keyof C & string) | '',
  columns: C,
): Table<C> {
  return { name, key, columns }
}

export function createLogTable<const C extends Columns>(name: string, columns: C): Table<C> {
  return { name, key: null, columns }
}

const insertOnly = new WeakMap<Table, Table>()
const stored = new WeakMap<Table, Table>()

/**
 * Returns the table under which a batch keeps the new rows of `table`. The statement only inserts
 * these rows. It fails if the database already has a row with the key of a new row.
 */
export function getInsertOnly<T extends Table>(table: T): T {
  const known = insertOnly.get(table)
  // The cast is safe, because each result is stored under the table from which it was made.
  if (known !== undefined) return known as T
  const made = { ...table, key: null }
  insertOnly.set(table, made)
  stored.set(made, table)
  return made
}

/** Returns the table that contains the rows which a batch keeps under `table`. */
export function getStoredTable(table: Table): Table {
  return stored.get(table) ?? table
}

export function getKey(table: Table, row: Readonly<Record<string, unknown>>): string {
  return table.key === '' || table.key === null ? '' : String(row[table.key])
}

const columnNames = new Map<string, string>()

/**
 * Returns the column name of a property, in snake_case. The result is cached, because column names
 * are needed for each loaded row.
 */
export function getColumnName(property: string): string {
  const known = columnNames.get(property)
  if (known !== undefined) return known
  const name = property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  columnNames.set(property, name)
  return name
}

/** Returns the select list of the properties, with each column aliased to its property name. */
export function formatColumns(properties: readonly string[]): string {
  return properties.map((property) => `${getColumnName(property)} as "${property}"`).join(', ')
}

export function getSqlType(column: Column): ColumnType {
  return typeof column === 'string' ? (column.replace('?', '') as ColumnType) : 'text'
}

export function isNullable(column: Column): boolean {
  return typeof column === 'string' && column.endsWith('?')
}

/**
 * Returns the row. Throws if a column has a value that is not in the list of the column. Database
 * constraints also prevent such values. Columns that were not selected are not checked.
 */
export function checkRow<R extends object>(table: Table, row: R): R {
  for (const [property, choices] of listChoices(table)) {
    const value = (row as Readonly<Record<string, unknown>>)[property]
    if (value !== undefined && !choices.includes(String(value))) {
      const key = getKey(table, row as Readonly<Record<string, unknown>>)
      const column = `ledger.${table.name}.${getColumnName(property)}`
      throw new Error(`${column} of "${key}" is "${value}": expected ${choices.join(', ')}`)
    }
  }
  return row
}

type Choices = readonly (readonly [property: string, values: readonly string[]])[]
const choices = new WeakMap<Table, Choices>()

/**
 * Returns the columns that have a list of allowed values. The result is cached, because this list
 * is needed for each loaded row.
 */
function listChoices(table: Table): Choices {
  const known = choices.get(table)
  if (known !== undefined) return known
  const found = Object.entries(table.columns).flatMap(([property, column]) =>
    typeof column === 'string' ? [] : [[property, column] as const],
  )
  choices.set(table, found)
  return found
}
