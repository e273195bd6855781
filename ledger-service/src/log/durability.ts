import type { Durability } from '@cairn/ledger-contracts'
import type pg from 'pg'

/**
 * Returns the durability of commits under the present settings of the connection. `local`: a commit
 * survives a crash of the primary server. `standby`: a commit waits until a standby has flushed it,
 * so it also survives the loss of the primary server.
 */
export async function readDurability(client: Pick<pg.ClientBase, 'query'>): Promise<Durability> {
  const { rows } = await client.query<{ waits: boolean }>(
    `select current_setting('synchronous_commit') in ('on', 'remote_apply')
       and trim(current_setting('synchronous_standby_names')) <> '' as waits`,
  )
  return rows[0]?.waits === true ? 'standby' : 'local'
}

/** Throws if `standby` is required and commits do not wait for a standby. */
export async function requireDurability(
  client: Pick<pg.ClientBase, 'query'>,
  required: Durability,
): Promise<void> {
  if (required === 'local' || (await readDurability(client)) === 'standby') return
  throw new Error(
    'LEDGER_DURABILITY is standby, but commits do not wait for a standby: set ' +
      'synchronous_commit to on or remote_apply and name a standby in synchronous_standby_names',
  )
}
