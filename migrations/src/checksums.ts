import { type Kysely, sql } from 'kysely'
import type { MigrationFile } from './migration-files.ts'

export async function createChecksumTable(db: Kysely<unknown>): Promise<void> {
  const found = await sql<{ exists: boolean }>`
    select to_regclass('migrations.checksum') is not null as exists`.execute(db)
  // Asked first, because the migrator need not have the right to create schemas.
  if (found.rows[0]?.exists === true) return

  await sql`create schema if not exists migrations`.execute(db)
  await sql`
    create table migrations.checksum (
      name text primary key,
      sha256 text not null,
      applied_at timestamptz not null default now()
    )`.execute(db)
}

export async function assertUnedited(
  db: Kysely<unknown>,
  files: readonly MigrationFile[],
): Promise<void> {
  const { rows } = await sql<{ name: string; sha256: string }>`
    select name, sha256 from migrations.checksum order by name`.execute(db)
  const byName = new Map(files.map((file) => [file.name, file]))
  for (const row of rows) {
    const file = byName.get(row.name)
    if (file === undefined) {
      throw new Error(`migration ${row.name} was applied to this database but its file is missing`)
    }
    if (file.sha256 !== row.sha256) {
      throw new Error(
        `migration ${row.name} was edited after it was applied; restore it and write a new one`,
      )
    }
  }
}

export async function recordChecksum(db: Kysely<unknown>, file: MigrationFile): Promise<void> {
  await sql`
    insert into migrations.checksum (name, sha256) values (${file.name}, ${file.sha256})`.execute(
    db,
  )
}
