import { randomBytes } from 'node:crypto'
import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@cairn/local/postgres'
import { migrate } from '@cairn/migrations'
import pg from 'pg'

const ROLES = ['cairn_ledger', 'cairn_ledger_worker', 'cairn_gateway', 'cairn_gateway_worker']

/** A certificate and its key, as PEM. */
interface Pair {
  readonly cert: string
  readonly key: string
}

/** A migrated PostgreSQL server that accepts only connections with TLS. */
export interface TlsPostgres {
  /** Returns a URL without TLS parameters. The URL contains the password of the role. */
  getPlainUrl(role?: string): string
  /**
   * Returns a URL whose parameters make the client verify the server's certificate with the
   * authority in this file.
   */
  urlFor(role: string | undefined, authorityFile: string): string
  /**
   * Replaces the server's certificate. Connections that open after this call get the new
   * certificate.
   */
  present(pair: Pair): Promise<void>
  stop(): Promise<void>
}

export async function startTlsPostgres(first: Pair): Promise<TlsPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-tls-'))
  const password = randomBytes(12).toString('hex')
  const server = await startPostgres({
    dataDir: join(folder, 'data'),
    logFile: join(folder, 'postgres.log'),
    password,
  })
  await migrate({
    databaseUrl: server.url(),
    passwords: Object.fromEntries(ROLES.map((role) => [role, password])),
  })
  const control = new pg.Client({ connectionString: server.url() })
  control.on('error', () => {})
  await control.connect()
  const getPath = (name: string) => join(server.dataDir, name)

  /**
   * Writes a file and makes the account of the server its owner, because the server refuses a key
   * file that has a different owner.
   */
  async function writeServerFile(name: string, text: string): Promise<void> {
    const { uid, gid } = await stat(getPath('PG_VERSION'))
    await writeFile(getPath(name), text, { mode: 0o600 })
    await chown(getPath(name), uid, gid)
  }

  async function installCertificate({ cert, key }: Pair): Promise<void> {
    await writeServerFile('server.crt', cert)
    await writeServerFile('server.key', key)
    const before = await control.query('select pg_conf_load_time() as at')
    await control.query('select pg_reload_conf()')
    // The server reads the files when it handles the reload signal. Connections that open after
    // that get the new certificate.
    for (;;) {
      const { rows } = await control.query('select pg_conf_load_time() as at')
      if (rows[0]?.at > before.rows[0]?.at) return
    }
  }

  await writeServerFile('pg_hba.conf', 'hostssl all all all scram-sha-256\n')
  await control.query('alter system set ssl = on')
  await installCertificate(first)
  return {
    getPlainUrl: (role) => server.url(role),
    urlFor: (role, authorityFile) => {
      const url = new URL(server.url(role))
      // Certificates contain a host name and no IP address.
      url.hostname = 'localhost'
      url.searchParams.set('sslmode', 'verify-full')
      url.searchParams.set('sslrootcert', authorityFile)
      return url.href
    },
    present: installCertificate,
    stop: async () => {
      await control.end()
      await server.stop()
      await rm(server.dataDir, { recursive: true, force: true })
      await rm(folder, { recursive: true, force: true })
    },
  }
}
