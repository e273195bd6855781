import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { createChecksumTable, recordChecksum, requireSameFormat } from './checksums.ts'
import {
  distributeTables,
  isDistributed,
  prepareNodes,
  runOnNodes,
  type Shape,
} from './citus-shape.ts'
import { findReasonToWait } from './contract-wait.ts'
import { type MigrationFile, readMigrationFiles } from './migration-files.ts'
import { setPasswords } from './passwords.ts'
import { requireSameScope, type Scope, selectFiles } from './scope.ts'

// The key of the advisory lock that all runners take. The number is arbitrary.
const RUNNER_LOCK = 4_701_842_316
const CONNECT_TIMEOUT_MS = 10_000
export interface MigrateOptions {
  readonly databaseUrl: string
  /** Passwords by role name. These roles are allowed to log in. */
  readonly passwords?: Readonly<Record<string, string>>
  readonly log?: (line: string) => void
  readonly folder?: string
  /** The last migration to apply. The rows of an older version are then imported. */
  readonly through?: string
  /** The part of the platform that the database holds. By default, it holds both parts. */
  readonly only?: Scope | null
  /** The kind of server. A database that has tables of Citus keeps its shape. */
  readonly shape?: Shape
  /**
   * True if each running process is of this version or of the version before it. Migrations that
   * contract are then applied although processes are running.
   */
  readonly isContractAllowed?: boolean
}

/** Applies all missing migrations and returns their names. */
export async function migrate(options: MigrateOptions): Promise<readonly string[]> {
  const { databaseUrl, passwords = {}, log = () => {}, isContractAllowed = false } = options
  const { through, only = null } = options
  const known = await readMigrationFiles(options.folder)
  const files = known.filter(({ name }) => through === undefined || name <= through)
  const gate = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  await gate.connect()
  try {
    await gate.query('select pg_advisory_lock($1)', [RUNNER_LOCK])
    const findReason = isContractAllowed ? async () => null : () => findReasonToWait(gate)
    const wasDistributed = await isDistributed(gate)
    const isCitus = wasDistributed || options.shape === 'citus'
    if (isCitus) await prepareNodes(gate, databaseUrl)
    const applied = await applyMigrations({
      databaseUrl: isCitus && !wasDistributed ? keepOnCoordinator(databaseUrl) : databaseUrl,
      files,
      only,
      log,
      findReason,
    })
    if (isCitus) {
      for (const name of await distributeTables(gate)) log(`distributed ledger.${name}`)
      await runOnNodes(gate, databaseUrl, (node) => setPasswords(node, passwords))
    } else {
      await setPasswords(gate, passwords)
    }
    return applied
  } finally {
    await gate.end()
  }
}

/**
 * Returns a URL whose sessions change the coordinator only. The first migrations create roles and
 * tables that the other nodes receive when the tables are distributed.
 */
function keepOnCoordinator(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.searchParams.set('options', '-c citus.enable_ddl_propagation=off')
  return url.href
}

async function applyMigrations(run: {
  databaseUrl: string
  files: readonly MigrationFile[]
  only: Scope | null
  log: (line: string) => void
  /** Returns why a migration that contracts must wait, or null. */
  findReason: () => Promise<string | null>
}): Promise<readonly string[]> {
  const pool = new pg.Pool({ connectionString: run.databaseUrl, max: 1 })
  const closed: Promise<void>[] = []
  pool.on('connect', (client) => {
    closed.push(new Promise((resolve) => client.once('end', () => resolve())))
  })
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    await createChecksumTable(db)
    const applied = await requireSameFormat(db, run.files)
    const selected = selectFiles(run.files, run.only)
    requireSameScope(applied, { ...run, selected })
    const pending = selected.filter(({ name }) => !applied.includes(name))
    const reason = await run.findReason()
    const waiting = reason === null ? null : findWaiting(pending, reason)
    if (waiting !== null) run.log(`${waiting} waits: ${reason}`)
    const files = selected.filter(({ name }) => waiting === null || name < waiting)
    // The migrator expects to know each applied migration, also those of a newer version.
    const names = new Set([...applied, ...files.map(({ name }) => name)])
    return await applyMigrationsInOrder({ db, files, names: [...names].sort(), log: run.log })
  } finally {
    await db.destroy()
    // The pool does not wait until its connections are closed, so this code waits. If the caller
    // dropped the database while a connection is open, the connection could fail with an error that
    // no code handles.
    await Promise.all(closed)
  }
}

/**
 * Returns the name of the first migration that contracts; null if there is none. Throws if another
 * migration follows it, because migrations are applied in order and this version needs all of them.
 */
function findWaiting(pending: readonly MigrationFile[], reason: string): string | null {
  const place = pending.findIndex(({ kind }) => kind === 'contract')
  const [waiting, later] = [pending[place], pending.slice(place + 1).find(isExpand)]
  if (waiting === undefined) return null
  if (later === undefined) return waiting.name
  throw new Error(
    `${later.name} follows ${waiting.name}, which waits because ${reason}: stop all processes, ` +
      'or set MIGRATE_CONTRACT=1 if all of them are of the previous version',
  )
}

function isExpand({ kind }: MigrationFile): boolean {
  return kind === 'expand'
}

async function applyMigrationsInOrder(run: {
  db: Kysely<unknown>
  files: readonly MigrationFile[]
  /** The names of the files and of all applied migrations, in order. */
  names: readonly string[]
  log: (line: string) => void
}): Promise<readonly string[]> {
  const files = new Map(run.files.map((file) => [file.name, file]))
  const migrations = run.names.map((name) => [name, toMigration(files.get(name))] as const)
  const migrator = new Migrator({
    db: run.db,
    provider: { getMigrations: async () => Object.fromEntries(migrations) },
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

/** `file` is undefined for a migration of a newer version, which is applied already. */
function toMigration(file: MigrationFile | undefined) {
  const up = async (db: Kysely<unknown>) => {
    if (file === undefined) return
    await inheritCreatedRoles(db)
    await sql.raw(file.text).execute(db)
    // The file may have changed the role, but the checksum must be written with the role of the
    // migration runner.
    await sql`reset role`.execute(db)
    await recordChecksum(db, file)
  }
  return { up }
}

/**
 * Lets an account that is not a superuser use the roles that it creates in this transaction. Since
 * PostgreSQL 16 it is a member of them without their rights. Version 15 does not have the setting.
 */
async function inheritCreatedRoles(db: Kysely<unknown>): Promise<void> {
  await sql`
    select set_config('createrole_self_grant', 'set, inherit', true)
    where current_setting('server_version_num')::int >= 160000`.execute(db)
}

function formatReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
