import type { DatabaseState } from '@cairn/ledger-contracts'
import type pg from 'pg'

interface Row {
  version: string
  bytes: string
  archive_lag: number | null
  standbys: number
  standby_lag: number | null
}

/**
 * Reads the version and the size of the database, the age of its archive, and its standbys.
 *
 * The archive is late by the time since the server archived its last segment, if an event was
 * recorded after that. A server without newer events archives nothing, so it is not late.
 */
export async function readDatabaseState(client: Pick<pg.Pool, 'query'>): Promise<DatabaseState> {
  const { rows } = await client.query<Row>(
    `select current_setting('server_version') as version,
       pg_database_size(current_database()) as bytes,
       case when current_setting('archive_mode') = 'off' then null
         when (select max(last_recorded_at) from ledger.head) <= archived_at then 0
         else greatest(0, extract(epoch from clock_timestamp() - archived_at))::float8
       end as archive_lag,
       (select count(*) from pg_stat_replication)::int as standbys,
       -- Other roles see null as the lag of each standby.
       case when pg_has_role(current_user, 'pg_read_all_stats', 'usage') then
         (select coalesce(max(extract(epoch from replay_lag)), 0) from pg_stat_replication)::float8
       end as standby_lag
     from (
       select coalesce(last_archived_time, pg_postmaster_start_time()) as archived_at
       from pg_stat_archiver
     ) as archiver`,
  )
  const [row] = rows
  if (row === undefined) throw new Error('pg_stat_archiver has no row')
  return {
    version: row.version,
    bytes: Number(row.bytes),
    archiveLagSeconds: row.archive_lag,
    standbys: row.standbys,
    standbyLagSeconds: row.standby_lag,
  }
}
