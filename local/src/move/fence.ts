import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

/** The roles of the processes of a platform. */
const PROCESS_ROLES = [
  'cairn_ledger',
  'cairn_ledger_worker',
  'cairn_gateway',
  'cairn_gateway_worker',
]
/** A process that was just stopped can be connected for a moment. */
const ENDING_MS_MAX = 5_000
const POLL_MS = 100

/**
 * Takes from all processes of the platform the right to connect to this database, and with it the
 * possibility to write to the log and to sign it. This also holds for processes on other machines.
 * Throws if a process is still connected; the right is then given back.
 */
export async function fenceDatabase(client: pg.Client): Promise<void> {
  await changeRight(client, 'revoke connect on database %I from %I')
  const deadline = Date.now() + ENDING_MS_MAX
  for (;;) {
    const connected = await findProcess(client)
    if (connected === null) return
    if (Date.now() > deadline) {
      await unfenceDatabase(client)
      throw new Error(
        `a process of the platform is connected to the database (${connected}): stop all of them first`,
      )
    }
    await sleep(POLL_MS)
  }
}

/** Gives the processes of the platform the right to connect to this database. */
export async function unfenceDatabase(client: pg.Client): Promise<void> {
  await changeRight(client, 'grant connect on database %I to %I')
}

async function changeRight(client: pg.Client, statement: string): Promise<void> {
  const { rows } = await client.query(
    `select format($1, current_database(), role) as text from unnest($2::text[]) as role`,
    [statement, PROCESS_ROLES],
  )
  for (const { text } of rows) await client.query(text)
}

async function findProcess(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query(
    `select usename || coalesce(' from ' || host(client_addr), '') as name from pg_stat_activity
     where datname = current_database() and usename = any ($1) limit 1`,
    [PROCESS_ROLES],
  )
  return rows[0]?.name ?? null
}
