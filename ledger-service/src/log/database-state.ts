import type { DatabaseState } from '@cairn/ledger-contracts'
import type pg from 'pg'

interface Row {
  version: string
  bytes: string
  waiting_segments: number | null
  archive_lag: number | null
  standbys: number
  standby_lag: number | null
}

/**
 * Reads the version and the size of the database, the state of its archive, and its standbys.
 *
 * The archive is late by the time since the server archived its last segment, if a full segment
 * waits or if an event was recorded after that. A server without newer events archives nothing, so
 * it is not late. After a long fault, each archived segment makes this time short again, so the
 * number of waiting segments counts too.
 */
export async function readDatabaseState(client: Pick<pg.Pool, 'query'>): Promise<DatabaseState> {
  const { rows } = await client.query<Row>(
    `with archiver as (
       select coalesce(last_archived_time, pg_postmaster_start_time()) as archived_at,
         -- The names of history files have another form.
         substring(last_archived_wal from '^[0-9A-F]{24}') as archived
       from pg_stat_archiver where current_setting('archive_mode') <> 'off'
     ), place as (
       select archived_at, case when archived is not null then greatest(0,
         ${findSegmentNumber('pg_walfile_name(pg_current_wal_insert_lsn())')}
           - ${findSegmentNumber('archived')} - 1)::int end as waiting
       from archiver
     )
     select current_setting('server_version') as version,
       pg_database_size(current_database()) as bytes,
       place.waiting as waiting_segments,
       case when place.archived_at is null then null
         when coalesce(place.waiting, 0) = 0
           and (select max(last_recorded_at) from ledger.head) <= place.archived_at then 0
         else greatest(0, extract(epoch from clock_timestamp() - place.archived_at))::float8
       end as archive_lag,
       (select count(*) from pg_stat_replication)::int as standbys,
       -- Other roles see null as the lag of each standby.
       case when pg_has_role(current_user, 'pg_read_all_stats', 'usage') then
         (select coalesce(max(extract(epoch from replay_lag)), 0) from pg_stat_replication)::float8
       end as standby_lag
     from (select 1) as one left join place on true`,
  )
  const [row] = rows
  if (row === undefined) throw new Error('the state of the database has no row')
  return {
    version: row.version,
    bytes: Number(row.bytes),
    archiveLagSeconds: row.archive_lag,
    archiveWaitingSegments: row.waiting_segments,
    standbys: row.standbys,
    standbyLagSeconds: row.standby_lag,
  }
}

/**
 * Returns an expression for the number of a segment. Its name consists of three numbers of eight
 * hexadecimal digits: the timeline, and the two parts of the position.
 */
function findSegmentNumber(name: string): string {
  const part = (from: number) => `('x' || substr(${name}, ${from}, 8))::bit(32)::bigint`
  const segmentsPerPart = `(4294967296 / pg_size_bytes(current_setting('wal_segment_size')))`
  return `(${part(9)} * ${segmentsPerPart} + ${part(17)})`
}
