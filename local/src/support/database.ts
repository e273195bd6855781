import pg from 'pg'
import { type Entry, formatJson } from './contents.ts'

const TIMEOUT_MS = 10_000
const TABLES_MAX = 40

/**
 * The queries about the database, by the name of their part in the bundle. They read no row about a
 * person.
 */
const QUERIES = {
  server: 'select version(), pg_is_in_recovery() as "isStandby", now() as time',
  heads: `select ledger_id, size::text, encode(root, 'hex') as root, model, last_recorded_at,
    refusal_count::text from ledger.head order by ledger_id`,
  checkpoints: `select ledger_id, max(size)::text as "signedSize" from ledger.checkpoint
    group by ledger_id order by ledger_id`,
  connections: `select usename, state, wait_event_type, count(*)::int from pg_stat_activity
    where datname = current_database() group by 1, 2, 3 order by 1, 2, 3`,
  tables: `select n.nspname || '.' || c.relname as name, c.reltuples::bigint::text as rows,
    pg_total_relation_size(c.oid)::text as bytes from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema')
    order by pg_total_relation_size(c.oid) desc limit ${TABLES_MAX}`,
  settings: `select name, setting, unit, source from pg_settings
    where source not in ('default', 'override') and name !~ 'conninfo|passphrase|ssl_key'
    order by name`,
} as const

/** Lists one file about the database. A query that fails does not prevent the others. */
export function listDatabaseEntries(url: string | null): Entry[] {
  if (url === null) return []
  return [{ file: 'database.json', read: () => describeDatabase(url) }]
}

async function describeDatabase(url: string): Promise<string> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'cairn-support-bundle',
    connectionTimeoutMillis: TIMEOUT_MS,
    statement_timeout: TIMEOUT_MS,
  })
  await client.connect()
  try {
    const answers: Record<string, unknown> = {}
    for (const [name, sql] of Object.entries(QUERIES)) {
      answers[name] = await client.query(sql).then(
        ({ rows }) => rows,
        (error: Error) => `failed: ${error.message}`,
      )
    }
    return formatJson(answers)
  } finally {
    await client.end()
  }
}
