import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Postgres, startPostgres } from '@cairn/local/postgres'
import pg from 'pg'
import type { CrashablePostgres } from './crashable-postgres.ts'

export const STANDBY_NAME = 'standby'

/** A server that receives the WAL of a primary server and can replace the primary. */
export interface Standby {
  /** The URL of the server for a role. The default is its superuser. */
  urlFor(role?: string): string
  stop(): Promise<void>
  /**
   * Starts the stopped server as a primary with the WAL that it has received. Runs the query and
   * returns its rows.
   */
  promote<Row extends pg.QueryResultRow>(text: string): Promise<Row[]>
  drop(): Promise<void>
}

/** Creates a standby. The primary is stopped while its files are copied, and then restarted. */
export async function startStandby(primary: CrashablePostgres): Promise<Standby> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-standby-'))
  const options = {
    dataDir: join(folder, 'data'),
    logFile: join(folder, 'standby.log'),
    password: randomBytes(12).toString('hex'),
  }
  // The first start determines the folder of the server's files. The folder depends on the
  // operating-system account that runs the server.
  let server: Postgres = await startPostgres(options)
  await server.stop()
  await primary.stop()
  await rm(server.dataDir, { recursive: true })
  execFileSync('cp', ['-a', primary.dataDir, server.dataDir])
  await primary.start()
  const { hostname, port, username, password } = new URL(primary.database.url)
  const follow = (source: string) =>
    appendFile(join(server.dataDir, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
  await follow(
    `host=${hostname} port=${port} user=${username} password=${password} ` +
      `application_name=${STANDBY_NAME}`,
  )
  await writeFile(join(server.dataDir, 'standby.signal'), '')
  const startServer = async () => {
    server = await startPostgres({ ...options, password })
  }
  await startServer()

  return {
    urlFor: (role) => server.url(role),
    stop: () => server.stop(),
    promote: async (text) => {
      // Disconnects the standby from the primary. Otherwise the standby would receive the missed
      // WAL before its promotion.
      await follow('')
      await startServer()
      const client = new pg.Client({ connectionString: server.url() })
      await client.connect()
      try {
        await client.query('select pg_promote()')
        return (await client.query(text)).rows
      } finally {
        await client.end()
      }
    },
    drop: async () => {
      await server.stop()
      await rm(server.dataDir, { recursive: true, force: true })
      await rm(folder, { recursive: true, force: true })
    },
  }
}
