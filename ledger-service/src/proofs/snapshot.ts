import type pg from 'pg'

// One message contains both statements, because the session could reach its time limit between two
// messages.
const BEGIN = `begin isolation level repeatable read read only;
  set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;
  set local lock_timeout = 0;`

/**
 * Begins a transaction without time limits and returns the name of its snapshot. Other transactions
 * can use the snapshot until this transaction ends. A verification reads for hours, and some of its
 * connections wait most of that time.
 */
export async function exportSnapshot(client: pg.ClientBase): Promise<string> {
  await client.query(BEGIN)
  const { rows } = await client.query<{ name: string }>('select pg_export_snapshot() as name')
  const [row] = rows
  if (row === undefined) throw new Error('PostgreSQL exported no snapshot')
  return row.name
}

/**
 * Begins a transaction without time limits that sees the same rows as the transaction that exported
 * the snapshot.
 */
export async function joinSnapshot(client: pg.ClientBase, name: string): Promise<void> {
  await client.query(`${BEGIN} set transaction snapshot '${name}'`)
}
