import { RELEASE } from '@cairn/service-kit/release'
import type pg from 'pg'

/** The roles of the processes that use the tables while the platform runs. */
const PROCESS_ROLES = [
  'cairn_gateway',
  'cairn_gateway_worker',
  'cairn_ledger',
  'cairn_ledger_worker',
]

/**
 * Returns why a migration that contracts must wait; null if it need not. It need not if no process is
 * connected. Otherwise every connected process must be of this release or a newer one, no older
 * release was seen for a day, and this release is known for a day. Until then the previous release
 * can come back.
 */
export async function findReasonToWait(
  gate: pg.Client,
  release: string = RELEASE,
): Promise<string | null> {
  const connected = await listConnectedRoles(gate)
  if (connected.length === 0) return null
  const found = await gate.query(
    `select to_regclass('migrations.release_seen') is not null as "isThere"`,
  )
  if (!found.rows[0].isThere) return 'processes of the platform are connected'
  return (await findOlderRelease(gate, release)) ?? findUnknownProcess(gate, { connected, release })
}

async function listConnectedRoles(gate: pg.Client): Promise<readonly string[]> {
  const { rows } = await gate.query(
    `select distinct usename as role from pg_stat_activity
     where datname = current_database() and usename = any ($1) order by 1`,
    [PROCESS_ROLES],
  )
  return rows.map(({ role }) => role)
}

async function findOlderRelease(gate: pg.Client, release: string): Promise<string | null> {
  const { rows } = await gate.query(
    `select role || ' of release ' || release || ' was seen less than a day ago' as reason
     from migrations.release_seen
     where string_to_array(release, '.')::int[] < string_to_array($1, '.')::int[]
       and last_seen_at > now() - interval '1 day'
     order by last_seen_at desc limit 1`,
    [release],
  )
  return rows[0]?.reason ?? null
}

/** A process announces its release every hour. One that has not done so for two is unknown. */
async function findUnknownProcess(
  gate: pg.Client,
  { connected, release }: { connected: readonly string[]; release: string },
): Promise<string | null> {
  const { rows } = await gate.query(
    `select case when max(last_seen_at) is null or max(last_seen_at) < now() - interval '2 hours'
       then role || ' is connected, and its release is not known'
       else role || ' has had this release for less than a day' end as reason
     from unnest($2::text[]) as role left join migrations.release_seen using (role)
     where release is null or string_to_array(release, '.')::int[] >= string_to_array($1, '.')::int[]
     group by role
     having max(last_seen_at) is null or max(last_seen_at) < now() - interval '2 hours'
       or min(first_seen_at) > now() - interval '1 day'
     order by role limit 1`,
    [release, connected],
  )
  return rows[0]?.reason ?? null
}
