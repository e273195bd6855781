import { type Kysely, sql } from 'kysely'
import { type MigrationFile, readKind } from './migration-files.ts'

export async function createChecksumTable(db: Kysely<unknown>): Promise<void> {
  const found = await sql<{ exists: boolean }>`
    select to_regclass('migrations.checksum') is not null as exists`.execute(db)
  // The schema is created only if it is missing, because the migrator may have no right to create
  // schemas.
  if (found.rows[0]?.exists === true) return

  await sql`create schema if not exists migrations`.execute(db)
  await sql`
    create table migrations.checksum (
      name text primary key,
      sha256 text not null,
      applied_at timestamptz not null default now()
    )`.execute(db)
}

/**
 * Throws if the migrations that the database has applied differ from the given files. Versions
 * before 0.9.0 had other files under the same names; a database of such a version must be created
 * again. Migrations of a newer version that only add are accepted. Returns the names of all applied
 * migrations.
 */
export async function requireSameFormat(
  db: Kysely<unknown>,
  files: readonly MigrationFile[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string; sha256: string }>`
    select name, sha256 from migrations.checksum order by name`.execute(db)
  const current = new Map(files.map((file) => [file.name, file.sha256]))
  const newest = files.at(-1)?.name ?? ''
  const applied = rows.map(({ name }) => name)
  const newer = applied.filter((name) => isNewer(name, newest))
  const contract = newer.find((name) => readKind(name) === 'contract')
  if (contract !== undefined) {
    throw new Error(
      `a newer version has removed what this version uses (${contract}): install that version again`,
    )
  }
  const other = rows.find(({ name, sha256 }) => {
    return !newer.includes(name) && current.get(name) !== sha256
  })
  if (other === undefined) return applied
  throw new Error(
    'this database was made by a version before 0.9.0, whose format was not frozen ' +
      `(${other.name} is not the file that was applied): delete the folder .data, ` +
      'or the database if DATABASE_URL names one, and start again',
  )
}

/** True for a migration of a newer version. A file of the baseline is never newer. */
function isNewer(name: string, newest: string): boolean {
  const kind = readKind(name)
  return name > newest && (kind === 'expand' || kind === 'contract')
}

export async function recordChecksum(db: Kysely<unknown>, file: MigrationFile): Promise<void> {
  await sql`
    insert into migrations.checksum (name, sha256) values (${file.name}, ${file.sha256})`.execute(
    db,
  )
}
