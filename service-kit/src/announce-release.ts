import pg from 'pg'
import type { Logger } from 'pino'
import { RELEASE } from './release.ts'

const PERIOD_MS = 3_600_000
const TIMEOUT_MS = 5_000

/**
 * Tells the database at once and then every hour that a process of this release uses it. Migrations
 * that remove something wait for older releases. A failure is only logged, because the process works
 * without it, and the migrations then wait longer. `signal` ends the announcements.
 */
export async function announceRelease({
  url,
  log,
  signal,
}: {
  url: string
  log: Logger
  signal?: AbortSignal
}): Promise<void> {
  const announce = () =>
    callOnce(url).catch((error) => log.warn({ err: error }, 'the release was not announced'))
  const timer = setInterval(announce, PERIOD_MS).unref()
  signal?.addEventListener('abort', () => clearInterval(timer))
  await announce()
}

async function callOnce(url: string): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select migrations.announce_release($1)', [RELEASE])
  } finally {
    await client.end()
  }
}
