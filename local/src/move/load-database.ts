import { migrate } from '@cairn/migrations'
import pg from 'pg'
import { type Database, startDatabase } from '../database.ts'
import type { Environment } from '../environment.ts'
import { readSecrets } from '../secrets.ts'
import type { Manifest, PartSink } from './archive.ts'
import { copyIn, formatName, listTables, type Table } from './copy-tables.ts'
import { createJobTables } from './job-tables.ts'

export interface LoadingDatabase {
  readonly database: Database
  openTable(table: Table): Promise<PartSink>
  /** Commits all rows, and applies the migrations that the archive does not have. */
  commit(): Promise<void>
  /** Ends the connection. Rows that were not committed are gone. */
  close(): Promise<void>
}

/**
 * Creates the database of an archive, with its migrations and without rows. All rows are loaded in
 * one transaction. Throws if the database is not empty.
 */
export async function openDatabase(order: {
  environment: Environment
  manifest: Manifest
  /** The last migration of the archive. */
  through: string
  print: (line: string) => void
}): Promise<LoadingDatabase> {
  const { environment, manifest, through, print } = order
  const secrets = await readSecrets(environment.dataDir)
  const database = await startDatabase({ environment, secrets, log: print })
  const client = new pg.Client({ connectionString: database.adminUrl })
  client.on('error', () => {})
  const close = async () => {
    await client.end()
    await database.stop()
  }
  try {
    await client.connect()
    await requireEmptyDatabase(client, database)
    const migrating = { databaseUrl: database.adminUrl, passwords: secrets.passwords }
    await migrate({ ...migrating, through })
    await createJobTables(manifest.jobTables, database.urlFor)
    await client.query(`set datestyle = 'ISO'; set timezone = 'UTC'; set statement_timeout = 0`)
    await client.query('begin')
    const triggers = await listInsertTriggers(client)
    await changeTriggers(client, triggers, 'disable')
    await deleteInitialRows(client)
    return {
      database,
      openTable: (table) => copyIn(client, table),
      commit: async () => {
        // Constraints that are checked late must hold before the triggers can be changed.
        await client.query('set constraints all immediate')
        await changeTriggers(client, triggers, 'enable')
        await client.query('commit')
        await migrate({ ...migrating, log: print, isContractAllowed: true })
        await client.query('analyze')
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function requireEmptyDatabase(client: pg.Client, { place }: Database): Promise<void> {
  const { rows } = await client.query(
    `select nspname from pg_namespace
     where nspname = any (array['migrations', 'ledger', 'platform', 'identity', 'person_keys'])`,
  )
  if (rows.length === 0) return
  throw new Error(`the database ${place} is not empty: name an empty database in DATABASE_URL`)
}

/**
 * Deletes the rows that migrations have inserted, because the archive contains them as they are now.
 * No append-only table has such rows.
 */
async function deleteInitialRows(client: pg.Client): Promise<void> {
  for (const table of (await listTables(client)).toReversed()) {
    const name = formatName(table)
    const { rows } = await client.query(`select exists (select from ${name}) as "hasRows"`)
    if (rows[0].hasRows) await client.query(`delete from ${name}`)
  }
}

interface Trigger {
  readonly table: string
  readonly name: string
}

/**
 * Lists the triggers that would add rows of their own to the imported rows. A trigger that is
 * enabled always, such as the one that requires postings to sum to zero, is not listed: it checks
 * the imported rows.
 */
async function listInsertTriggers(client: pg.Client): Promise<readonly Trigger[]> {
  const { rows } = await client.query<Trigger>(
    `select tgrelid::regclass::text as table, quote_ident(tgname) as name from pg_trigger
     where not tgisinternal and tgenabled = 'O' and tgtype & 4 <> 0`,
  )
  return rows
}

async function changeTriggers(
  client: pg.Client,
  triggers: readonly Trigger[],
  change: 'enable' | 'disable',
): Promise<void> {
  for (const { table, name } of triggers) {
    await client.query(`alter table ${table} ${change} trigger ${name}`)
  }
}
