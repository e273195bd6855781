import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate } from './migrate.ts'
import { readMigrationFiles } from './migration-files.ts'
import { findScopes, parseScope, SCOPES, type Scope } from './scope.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase({ empty: true })
})
afterEach(() => database.drop())

const run = (only: Scope | null) => migrate({ databaseUrl: database.url, only })

async function listSchemas(): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    `select distinct nspname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where relkind = 'r' and nspname !~ '^pg_|^information_schema$' order by 1`,
  )
  await client.end()
  return rows.map(({ name }) => name)
}

test('each migration names the part that it belongs to', async () => {
  const files = await readMigrationFiles()
  for (const scope of SCOPES) {
    expect(files.filter((file) => findScopes(file).includes(scope)).length).toBeGreaterThan(3)
  }
  const file = { name: '9000_expand_note.sql', kind: 'expand', sha256: '' } as const
  const later = (text: string) => () => findScopes({ ...file, text })
  expect(later('-- scope: ledger, site\nselect 1;')()).toEqual(['ledger', 'site'])
  expect(later('-- scope: site\nselect 1;')()).toEqual(['site'])
  expect(later('select 1;')).toThrow('migration 9000_expand_note.sql must begin with "-- scope:')
  expect(() => parseScope('gateway')).toThrow('--only takes ledger or site')
})

test('a database of the ledger has no table of the site', async () => {
  expect(await run('ledger')).toContain('0002_ledger.sql')
  expect(await listSchemas()).toEqual(['ledger', 'migrations'])
  expect(await run('ledger')).toEqual([])
})

test('a database of the site has no table of the ledger', async () => {
  expect(await run('site')).toContain('0006_identity.sql')
  expect(await listSchemas()).toEqual(['identity', 'migrations', 'person_keys', 'platform'])
  expect(await run('site')).toEqual([])
})

test('a database keeps the parts that it has', async () => {
  await run('ledger')
  await expect(run(null)).rejects.toThrow(/lacks 0004_platform.sql.*say which one with --only/)
  await expect(run('site')).rejects.toThrow('also has 0002_ledger.sql')
  const whole = await createTestDatabase()
  await expect(migrate({ databaseUrl: whole.url, only: 'ledger' })).rejects.toThrow(
    'also has 0004_platform.sql, which is not a migration of the ledger: leave out --only ledger',
  )
  await whole.drop()
})
