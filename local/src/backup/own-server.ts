import pg from 'pg'

const CONNECT_TIMEOUT_MS = 10_000

/** What a backup must know about the server of DATABASE_URL. */
export interface OwnServer {
  readonly postgresVersion: number
  readonly systemId: string
  readonly archiveMode: string
  /** Seconds after which an incomplete segment is archived; 0 for never. */
  readonly archiveTimeout: number
  /** The newest archived segment, or null. */
  readonly lastArchived: string | null
}

/**
 * Connects to the server of DATABASE_URL for the time of `work`. Throws an error that does not contain
 * the password. A connection must not wait for pgBackRest: in a backup of hours, a firewall would cut
 * it.
 */
export async function withServer<T>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await openServer(databaseUrl)
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function openServer(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    const { host, port } = client
    const reason = error instanceof Error && error.message !== '' ? error.message : 'no answer'
    throw new Error(`DATABASE_URL cannot be reached at ${host}:${port}: ${reason}`)
  }
  return client
}

export async function readServer(client: pg.Client): Promise<OwnServer> {
  const { rows } = await client.query(
    `select current_setting('server_version_num')::int / 10000 as "postgresVersion",
       (select system_identifier::text from pg_control_system()) as "systemId",
       current_setting('archive_mode') as "archiveMode",
       (select setting::int from pg_settings where name = 'archive_timeout') as "archiveTimeout",
       (select substr(last_archived_wal, 1, 24) from pg_stat_archiver) as "lastArchived"`,
  )
  return rows[0]
}

/** Throws unless the server archives its log, also if little is written. */
export function requireArchiving({ archiveMode, archiveTimeout }: OwnServer): void {
  if (archiveMode === 'off') {
    throw new Error(
      'the server of DATABASE_URL archives nothing: set archive_mode=on and the archive_command of ' +
        'pgBackRest, and restart the server',
    )
  }
  if (archiveTimeout > 0) return
  throw new Error(
    'the server of DATABASE_URL archives only full segments, so a quiet hour would be lost: set ' +
      'archive_timeout=60 and reload its configuration',
  )
}
