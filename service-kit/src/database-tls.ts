import pg from 'pg'
import { isLoopback } from './loopback.ts'
import { requireVerification } from './service-tls.ts'

/**
 * Returns the URL of a database on this machine or with `sslmode=verify-full`. Throws one sentence for any
 * other, because passwords and personal data would travel readable or to a server that is not verified.
 * `name` is the variable that contains the URL.
 */
export function requireDatabaseTls(name: string, url: string): string {
  const host = findHost(name, url)
  if (host.startsWith('/') || isLoopback(host)) return url
  if (!isVerifyingFully(url)) {
    throw new Error(
      `${name} names a database on ${host}, which is not this machine: add sslmode=verify-full to it, ` +
        'and sslrootcert=FILE unless a public authority issued the certificate of the server',
    )
  }
  requireVerification()
  return url
}

/** The host that node-postgres connects to: a parameter or PGHOST can replace the one in the URL. */
function findHost(name: string, connectionString: string): string {
  try {
    return new pg.Client({ connectionString }).host
  } catch (error) {
    // Without the URL, which contains a password.
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'invalid'
    throw new Error(
      `${name} cannot be used (${reason}): check its form and the file of sslrootcert`,
    )
  }
}

/** The mode is named exactly: node-postgres treats weaker ones as verify-full only until version 9. */
function isVerifyingFully(url: string): boolean {
  const modes = URL.parse(url)?.searchParams.getAll('sslmode') ?? []
  return modes.length > 0 && modes.every((mode) => mode === 'verify-full')
}
