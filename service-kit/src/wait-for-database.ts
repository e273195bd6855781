import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'

const CONNECT_TIMEOUT_MS = 5_000
const RETRY_MS = 500
/** SQLSTATE codes of errors that a retry does not fix: a wrong password or an unknown database. */
const PERMANENT_ERRORS = new Set(['28P01', '28000', '3D000'])
/**
 * Error codes of Node.js for a server whose certificate does not meet the requirements of the URL.
 */
const CERTIFICATE_ERROR = /^(ERR_TLS_CERT|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO)/

/**
 * Waits until the database accepts connections, because the database can start after its services.
 * Throws an error immediately if waiting cannot fix the error, or if `signal` is aborted.
 */
export async function waitForDatabase({
  url,
  log,
  signal,
}: {
  url: string
  log: Logger
  signal?: AbortSignal
}): Promise<void> {
  for (let attempts = 0; ; attempts += 1) {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    })
    client.on('error', () => {})
    try {
      await client.connect()
      return await client.end()
    } catch (error) {
      if (isPermanent(error)) throw error
      if (attempts === 0) log.warn({ err: error }, 'the database does not answer yet')
      await delay(RETRY_MS, undefined, signal === undefined ? {} : { signal })
    }
  }
}

function isPermanent(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  const code = String(error.code)
  if (error instanceof pg.DatabaseError) return PERMANENT_ERRORS.has(code)
  return CERTIFICATE_ERROR.test(code)
}
