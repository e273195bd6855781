import type pg from 'pg'

/**
 * Thrown if a commit was answered with a notice. If the wait for a synchronous standby is
 * cancelled, PostgreSQL reports success with a warning. The rows are then visible, but they are
 * lost if the server fails. The outcome is unknown until a later commit is confirmed.
 */
export class Unconfirmed extends Error {
  override readonly name = 'Unconfirmed'
  constructor(notice: string) {
    super(`the database committed with a notice, so the outcome is unknown: ${notice}`)
  }
}

/**
 * Without this statement, the settings of a server or a role can suppress the warnings that
 * `commitConfirmed` needs.
 */
export const SHOW_WARNINGS = 'set client_min_messages = warning'

/**
 * Runs a query that commits. Throws `Unconfirmed` if the database sends a notice. The connection
 * must show warnings.
 */
export async function commitConfirmed<Result>(
  client: pg.ClientBase,
  work: () => Promise<Result>,
): Promise<Result> {
  const notices: string[] = []
  const storeNotice = ({ message = '' }: { message?: string | undefined }) => notices.push(message)
  client.on('notice', storeNotice)
  try {
    const result = await work()
    if (notices.length > 0) throw new Unconfirmed(notices.join('; '))
    return result
  } finally {
    client.off('notice', storeNotice)
  }
}

/**
 * Commits a transaction that contains only a message. Commits are replicated in order. When this
 * commit is confirmed, everything that was visible before it is as durable as the server promises.
 * The connection must show warnings.
 */
export async function confirmDurability(client: pg.ClientBase): Promise<void> {
  const emit = `select pg_logical_emit_message(true, 'cairn', 'checkpoint')`
  await commitConfirmed(client, () => client.query(emit))
}

/** Runs `confirmDurability` on a connection of the pool. */
export async function confirmVisible(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  let isBroken = true
  try {
    await client.query(SHOW_WARNINGS)
    await confirmDurability(client)
    isBroken = false
  } finally {
    client.release(isBroken)
  }
}
