/** The description of a table of the ledger schema, from which its SQL and row types are derived. */
export type ColumnType = 'text' | 'int4' | 'int8' | 'bool' | 'timestamptz' | 'bytea' | 'jsonb'
/** A list is a text column with these values only. */
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
  /** The property that is the key. Null: rows are only inserted. '': the table has one row. */
  readonly key: string | null
}
/** The rows that a batch writes, by table. */
export type BatchRows = ReadonlyMap<Table, readonly object[]>
export type RowOf<T> = T extends Table<infer C> ? Row<C> : never

export function stateTable<const C extends Columns>(
  name: string,
  key: (keyof C & string) | '',
  columns: C,
): Table<C> {
  return { name, key, columns }
}

export function logTable<const C extends Columns>(name: string, columns: C): Table<C> {
  return { name, key: null, columns }
}

export function keyOf(table: Table, row: Readonly<Record<string, unknown>>): string {
  return table.key === '' || table.key === null ? '' : String(row[table.key])
}

const columnNames = new Map<string, string>()

/** Returns the snake_case name. Memoized, because it is called for each column of each loaded row. */
export function getColumnName(property: string): string {
  const known = columnNames.get(property)
  if (known !== undefined) return known
  const name = property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  columnNames.set(property, name)
  return name
}

export function getSqlType(column: Column): ColumnType {
  return typeof column === 'string' ? (column.replace('?', '') as ColumnType) : 'text'
}

export function isNullable(column: Column): boolean {
  return typeof column === 'string' && column.endsWith('?')
}

/**
 * Returns the row. Throws if a column holds a value that its list does not contain: the constraints of the
 * database prevent it, but a superuser can drop them. Columns that were not selected are not checked.
 */
export function checkRow<R extends object>(table: Table, row: R): R {
  for (const [property, choices] of choicesOf(table)) {
    const value = (row as Readonly<Record<string, unknown>>)[property]
    if (value !== undefined && !choices.includes(String(value))) {
      const key = keyOf(table, row as Readonly<Record<string, unknown>>)
      const column = `ledger.${table.name}.${getColumnName(property)}`
      throw new Error(`${column} of "${key}" is "${value}": expected ${choices.join(', ')}`)
    }
  }
  return row
}

type Choices = readonly (readonly [property: string, values: readonly string[]])[]
const choices = new WeakMap<Table, Choices>()

/** Memoized, because it is called for each loaded row. */
function choicesOf(table: Table): Choices {
  const known = choices.get(table)
  if (known !== undefined) return known
  const found = Object.entries(table.columns).flatMap(([property, column]) =>
    typeof column === 'string' ? [] : [[property, column] as const],
  )
  choices.set(table, found)
  return found
}
