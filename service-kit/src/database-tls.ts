import pg from 'pg'
import { isLoopback } from './loopback.ts'
import { requireVerification } from './service-tls.ts'

/**
 * Returns the URL if its database is on this machine or if it has `sslmode=verify-full`. Throws an
 * error with a one-sentence message for any other URL. Without verification, other machines could
 * read passwords and personal data, or pretend to be the server. `name` is the variable that
 * contains the URL.
 */
export function requireDatabaseTls(name: string, url: string): string {
  const host = findHost(name, url)
  if (host.startsWith('/') || isLoopback(host)) return url
  if (!isVerifyingFully(url)) {
    throw new Error(
      `${name} names a database on ${host}, which is not this machine: add sslmode=verify-full to the URL, ` +
        'and sslrootcert=FILE unless a public authority issued the certificate of the server',
    )
  }
  requireVerification()
  return url
}

/**
 * Returns the host that node-postgres connects to. A parameter or PGHOST can replace the host in
 * the URL.
 */
function findHost(name: string, connectionString: string): string {
  try {
    return new pg.Client({ connectionString }).host
  } catch (error) {
    // The message does not contain the URL, because the URL contains a password.
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'invalid'
    throw new Error(
      `${name} cannot be used (${reason}): check its form and the file of sslrootcert`,
    )
  }
}

/**
 * Accepts only the mode `verify-full`. Before version 9, node-postgres treats some weaker modes
 * like `verify-full`; from version 9 on, it does not.
 */
function isVerifyingFully(url: string): boolean {
  const modes = URL.parse(url)?.searchParams.getAll('sslmode') ?? []
  return modes.length > 0 && modes.every((mode) => mode === 'verify-full')
}
