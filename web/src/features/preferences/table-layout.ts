import {
  type Preferences,
  TABLES,
  type TableName,
  type TableSettings,
} from '@cairn/gateway-contracts'

/** The layouts that are stored in the preferences. */
type Layouts = Partial<Pick<Preferences, 'tables' | 'furtherTables'>>

function findTable(name: TableName) {
  return TABLES.find((each) => each === name)
}

/** Returns the stored layout of a list, if its layout was changed. */
export function readLayout(
  stored: Layouts | undefined,
  name: TableName,
): TableSettings | undefined {
  const table = findTable(name)
  return table === undefined ? stored?.furtherTables?.[name] : stored?.tables?.[table]
}

/** Returns the change of the preferences that stores the layout of a list. */
export function toLayoutChange(name: TableName, settings: TableSettings): Layouts {
  const table = findTable(name)
  return table === undefined
    ? { furtherTables: { [name]: settings } }
    : { tables: { [table]: settings } }
}
