import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { assertSameFormat, createChecksumTable, recordChecksum } from './checksums.ts'
import { type MigrationFile, readMigrationFiles } from './migration-files.ts'
import { setPasswords } from './passwords.ts'

// The key of the advisory lock that all runners take. The number is arbitrary.
const RUNNER_LOCK = 4_701_842_316
const CONNECT_TIMEOUT_MS = 10_000

export interface MigrateOptions {
  readonly databaseUrl: string
  /** Passwords by role name. These roles are allowed to log in. */
  readonly passwords?: Readonly<Record<string, string>>
  readonly log?: (line: string) => void
  readonly folder?: string
}

/** Applies all missing migrations and returns their names. */
export async function migrate(options: MigrateOptions): Promise<readonly string[]> {
  const { databaseUrl, passwords = {}, log = () => {} } = options
  const files = await readMigrationFiles(options.folder)
  const gate = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  await gate.connect()
  try {
    await gate.query('select pg_advisory_lock($1)', [RUNNER_LOCK])
    const applied = await applyMigrations({ databaseUrl, files, log })
    await setPasswords(gate, passwords)
    return applied
  } finally {
    await gate.end()
  }
}

async function applyMigrations(run: {
  databaseUrl: string
  files: readonly MigrationFile[]
  log: (line: string) => void
}): Promise<readonly string[]> {
  const pool = new pg.Pool({ connectionString: run.databaseUrl, max: 1 })
  const closed: Promise<void>[] = []
  pool.on('connect', (client) => {
    closed.push(new Promise((resolve) => client.once('end', () => resolve())))
  })
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    await createChecksumTable(db)
    await assertSameFormat(db, run.files)
    return await applyMigrationsInOrder({ db, files: run.files, log: run.log })
  } finally {
    await db.destroy()
    // The pool does not wait until its connections are closed, so this code waits. If the caller
    // dropped the database while a connection is open, the connection could fail with an error that
    // no code handles.
    await Promise.all(closed)
  }
}

async function applyMigrationsInOrder(run: {
  db: Kysely<unknown>
  files: readonly MigrationFile[]
  log: (line: string) => void
}): Promise<readonly string[]> {
  const migrator = new Migrator({
    db: run.db,
    provider: { getMigrations: async () => Object.fromEntries(run.files.map(toMigration)) },
    migrationTableSchema: 'migrations',
    migrationTableName: 'applied',
    migrationLockTableName: 'applied_lock',
  })
  const applied: string[] = []
  // Each file has its own transaction, so the files before a failing file stay applied.
  for (const _ of run.files) {
    const { error, results = [] } = await migrator.migrateUp()
    const done = results.find((result) => result.status === 'Success')
    if (error !== undefined) {
      const failed = results.find((result) => result.status === 'Error')?.migrationName
      throw new Error(`migration ${failed ?? ''} failed: ${formatReason(error)}`, { cause: error })
    }
    if (done === undefined) break
    run.log(`migrated ${done.migrationName}`)
    applied.push(done.migrationName)
  }
  return applied
}

function toMigration(file: MigrationFile) {
  const applyFile = async (db: Kysely<unknown>) => {
    await sql.raw(file.text).execute(db)
    // The file may have changed the role, but the checksum must be written with the role of the
    // migration runner.
    await sql`reset role`.execute(db)
    await recordChecksum(db, file)
  }
  return [file.name, { up: applyFile }] as const
}

function formatReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
