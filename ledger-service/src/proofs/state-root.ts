import { createHmac } from 'node:crypto'
import { formatCanonicalJson } from '@cairn/ledger-contracts'
import type pg from 'pg'
import { appendTo, computeRoot, hashLeaf } from '../log/merkle.ts'
import { getColumnName, getKey, type Table } from '../log/table.ts'
import { copyRows } from '../service/database/copy-rows.ts'
import { getColumnReader } from './compare-projections.ts'
import type { FoldedRows } from './folded-rows.ts'

// The root of a state is the root of a Merkle tree (RFC 6962) over all rows of all projections,
// sorted by table and key. A leaf contains the salt of the row and the canonical JSON of the row.
// The salt of the row is the HMAC-SHA256 of its table and key under the salt of the state. A reader
// of the proof of one row does not have the salts of the neighbouring rows, and therefore cannot
// guess these rows.

/** Adds rows in the order of table and key, and computes their root. */
function createStateTree(salt: Buffer) {
  const roots: Buffer[] = []
  let size = 0n
  return {
    add: (table: Table, row: Readonly<Record<string, unknown>>) => {
      const place = `${table.name}\n${getKey(table, row)}`
      const rowSalt = createHmac('sha256', salt).update(place).digest()
      const text = formatCanonicalJson({ table: table.name, row })
      appendTo(roots, { size, leaf: hashLeaf(Buffer.concat([rowSalt, Buffer.from(text)])) })
      size += 1n
    },
    computeRoot: () => computeRoot({ size, roots }),
  }
}

/** Computes the root of the stored projections. `client` has a snapshot, which all reads share. */
export async function computeStoredStateRoot(
  client: pg.ClientBase,
  { ledger, tables, salt }: { ledger: number; tables: readonly Table[]; salt: Buffer },
): Promise<Buffer> {
  const tree = createStateTree(salt)
  for (const table of sortTables(tables)) {
    const names = Object.keys(table.columns)
    const readers = Object.values(table.columns).map(getColumnReader)
    const order =
      table.key === null || table.key === '' ? '' : ` order by ${getColumnName(table.key)}`
    const pages = copyRows(
      client,
      `select ${names.map(getColumnName).join(', ')} from ledger.${table.name}
       where ledger_id = ${Number(ledger)}${order}`,
      (row) => Object.fromEntries(names.map((name, at) => [name, readers[at]?.(row)])),
    )
    for await (const page of pages) for (const row of page) tree.add(table, row)
  }
  return tree.computeRoot()
}

/** Computes the root of the projections that a verification has computed from the log. */
export function computeFoldedStateRoot(
  rows: FoldedRows,
  { tables, salt }: { tables: readonly Table[]; salt: Buffer },
): Buffer {
  const keys = new Map<Table, string[]>(tables.map((table) => [table, []]))
  for (const [table, key] of rows.listKeys()) keys.get(table)?.push(key)
  const tree = createStateTree(salt)
  for (const table of sortTables(tables)) {
    const names = Object.keys(table.columns)
    // Keys have ASCII characters only, so JavaScript and the database sort them in the same order.
    for (const key of keys.get(table)?.sort() ?? []) {
      // The cast is safe because each row of a table has at least the table's columns.
      const row = rows.view.find(table, key) as unknown as Readonly<Record<string, unknown>>
      tree.add(table, Object.fromEntries(names.map((name) => [name, row[name]])))
    }
  }
  return tree.computeRoot()
}

function sortTables(tables: readonly Table[]): readonly Table[] {
  return tables.toSorted((left, right) => (left.name < right.name ? -1 : 1))
}
