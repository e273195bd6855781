import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'

const CONNECT_TIMEOUT_MS = 5_000
const RETRY_MS = 500
/** SQLSTATE codes of a wrong password or an unknown database, which a retry does not fix. */
const PERMANENT_ERRORS = new Set(['28P01', '28000', '3D000'])

/** Waits until the database accepts connections, because at boot it can start after its services. */
export async function waitForDatabase({ url, log }: { url: string; log: Logger }): Promise<void> {
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
      if (error instanceof pg.DatabaseError && PERMANENT_ERRORS.has(error.code ?? '')) throw error
      if (attempts === 0) log.warn({ err: error }, 'the database does not answer yet')
      await delay(RETRY_MS)
    }
  }
}
