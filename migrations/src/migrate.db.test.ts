import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Postgres, startPostgres } from '@cairn/local/postgres'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migrate } from './migrate.ts'

const SQL_FOLDER = join(import.meta.dirname, '..', 'sql')
const FIRST = '0001_roles.sql'

let database: TestDatabase
let folder: string

beforeEach(async () => {
  database = await createTestDatabase({ empty: true })
  folder = await mkdtemp(join(tmpdir(), 'cairn-sql-'))
  // One file is enough for these tests. Tests in other files apply all migrations.
  await cp(join(SQL_FOLDER, FIRST), join(folder, FIRST))
})

afterEach(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

describe('migrate', () => {
  it('applies every file once, in order', async () => {
    const names = (await readdir(SQL_FOLDER)).sort()
    expect(await migrate({ databaseUrl: database.url })).toEqual(names)
    expect(await migrate({ databaseUrl: database.url })).toEqual([])
  })

  it('ends with a given file, and continues later', async () => {
    const names = (await readdir(SQL_FOLDER)).sort()
    const through = names[1] ?? ''
    const applied = await migrate({ databaseUrl: database.url, through })
    expect(applied).toEqual(names.slice(0, 2))
    expect(await migrate({ databaseUrl: database.url })).toEqual(names.slice(2))
  })

  it('keeps the files before a failing one and names the failing file', async () => {
    await writeFile(join(folder, '9000_expand_good.sql'), 'create table public.good ();')
    await writeFile(
      join(folder, '9001_expand_bad.sql'),
      'create table public.half (); select nonsense;',
    )
    await expect(migrate({ databaseUrl: database.url, folder })).rejects.toThrow(
      'migration 9001_expand_bad.sql failed: column "nonsense" does not exist',
    )
    const { rows } = await query(
      database.url,
      `select to_regclass('public.good') is not null as good,
        to_regclass('public.half') is not null as half`,
    )
    expect(rows).toEqual([{ good: true, half: false }])
  })

  it('applies every file once with two concurrent runners', async () => {
    const runs = await Promise.all([1, 2, 3].map(() => migrate({ databaseUrl: database.url })))
    const names = (await readdir(SQL_FOLDER)).sort()
    expect(runs.flat().sort()).toEqual(names)
  })

  it('migrates two databases of one cluster at once', async () => {
    const other = await createTestDatabase({ empty: true })
    const urls = [database.url, other.url]
    const runs = await Promise.all(urls.map((databaseUrl) => migrate({ databaseUrl })))
    expect(runs[0]).toEqual(runs[1])
    await other.drop()
  })

  it('lets the migrator continue a migration that a superuser started', async () => {
    await migrate({ databaseUrl: database.url, folder })
    const databaseUrl = database.urlFor('cairn_migrator')
    const names = (await readdir(SQL_FOLDER)).sort()
    expect(await migrate({ databaseUrl })).toEqual(names.slice(1))
  })

  it('sets no password for the owner of the tables', async () => {
    const passwords = { cairn_owner: 'secret' }
    await expect(migrate({ databaseUrl: database.url, passwords })).rejects.toThrow(
      'role cairn_owner may not log in',
    )
  })
})

describe('a database of another format', () => {
  // Only the first file is applied before each test. A run that is not refused would apply the
  // remaining files.
  beforeEach(() => migrate({ databaseUrl: database.url, folder }))

  it.each([
    [
      'a file that is gone',
      '0001_roles_and_schemas.sql',
      `update migrations.checksum set name = '0001_roles_and_schemas.sql';
       update migrations.applied set name = '0001_roles_and_schemas.sql'`,
    ],
    [
      'a file of other content',
      FIRST,
      `update migrations.checksum set sha256 = repeat('0', 64) where name = '${FIRST}'`,
    ],
  ])('is refused unchanged: it was migrated with %s', async (_, name, sabotage) => {
    await query(database.url, sabotage)
    const before = await readContents()
    await expect(migrate({ databaseUrl: database.url })).rejects.toThrow(
      'this database was made by a version before 0.9.0, whose format was not frozen ' +
        `(${name} is not the file that was applied): delete the folder .data, ` +
        'or the database if DATABASE_URL names one, and start again',
    )
    expect(await readContents()).toEqual(before)
  })

  it('sabotaged twin: a database of the same format is migrated, and its contents differ', async () => {
    const before = await readContents()
    expect(await migrate({ databaseUrl: database.url })).not.toEqual([])
    expect(await readContents()).not.toEqual(before)
  })
})

describe('two versions on one database', () => {
  const EXPAND = '9000_expand_note.sql'
  const CONTRACT = '9001_contract_note.sql'
  const LATER = '9002_expand_more.sql'
  const runs = () => migrate({ databaseUrl: database.url, folder })

  beforeEach(async () => {
    await runs()
    await writeFile(join(folder, EXPAND), 'create table public.note (old text, new text);')
  })
  const addContract = () =>
    writeFile(join(folder, CONTRACT), 'alter table public.note drop column old;')

  /** Runs the function while a process of the gateway is connected. */
  async function runBesideGateway<T>(run: () => Promise<T>): Promise<T> {
    const gateway = new pg.Client({ connectionString: database.urlFor('cairn_gateway') })
    await gateway.connect()
    try {
      return await run()
    } finally {
      await gateway.end()
    }
  }

  it('expands beside a running process, and contracts when no process is connected', async () => {
    await addContract()
    expect(await runBesideGateway(runs)).toEqual([EXPAND])
    await expect.poll(runs).toEqual([CONTRACT])
  })

  it('contracts beside running processes if the operator says that they are new enough', async () => {
    await addContract()
    const databaseUrl = database.url
    const allowed = () => migrate({ databaseUrl, folder, isContractAllowed: true })
    expect(await runBesideGateway(allowed)).toEqual([EXPAND, CONTRACT])
  })

  it('refuses to leave out a migration between two others', async () => {
    await addContract()
    await writeFile(join(folder, LATER), 'create table public.more ();')
    await expect(runBesideGateway(runs)).rejects.toThrow(
      `${LATER} follows ${CONTRACT}, which waits because processes of the platform are connected: stop`,
    )
  })

  it('lets the previous version run on what a newer version has added', async () => {
    expect(await runs()).toEqual([EXPAND])
    await rm(join(folder, EXPAND))
    expect(await runs()).toEqual([])
  })

  it('refuses the previous version after a newer version has contracted', async () => {
    await addContract()
    expect(await runs()).toEqual([EXPAND, CONTRACT])
    await rm(join(folder, CONTRACT))
    await expect(runs()).rejects.toThrow(
      `a newer version has removed what this version uses (${CONTRACT}): install that version again`,
    )
  })

  it.each(['9000_note.sql', '9000_expand.sql', '0012_note.sql', '9000_expand_Note.sql'])(
    'refuses the name %s',
    async (name) => {
      await writeFile(join(folder, name), 'select 1;')
      await expect(runs()).rejects.toThrow(`migration ${name} must have a name of the form`)
    },
  )
})

/**
 * Returns the relations with their owners and rights, the functions, and the records of the runner.
 */
async function readContents(): Promise<unknown> {
  const { rows } = await query(
    database.url,
    `select
      (select json_agg(format('%s %s %s', oid::regclass, relowner, relacl) order by oid) from pg_class) as relations,
      (select json_agg(proname order by oid) from pg_proc) as functions,
      (select json_agg(x order by name) from migrations.checksum x) as checksums,
      (select json_agg(x order by name) from migrations.applied x) as applied`,
  )
  return rows
}

describe('a server of its own', () => {
  let place: string
  let server: Postgres | null = null
  afterEach(async () => {
    await server?.stop()
    await rm(place, { recursive: true })
  })
  async function startServer(version: 15 | 18): Promise<Postgres> {
    place = await mkdtemp(join(tmpdir(), `cairn-postgres-${version}-`))
    const password = randomBytes(9).toString('hex')
    const files = { dataDir: join(place, 'data'), logFile: join(place, 'log') }
    server = await startPostgres({ version, password, ...files })
    return server
  }

  it('of version 15 takes every migration', async () => {
    const { url } = await startServer(15)
    await migrate({ databaseUrl: url() })
    const { rows } = await query(url(), 'show server_version_num')
    expect(Number(rows[0]?.server_version_num)).toBeLessThan(160_000)
  })

  it.each([15, 18] as const)(
    'of version %i takes every migration from an account that may only create roles',
    async (version) => {
      const { url } = await startServer(version)
      await query(url(), `create role operator login createrole password 'x'`)
      await query(url(), 'create database cairn owner operator')
      const databaseUrl = url('operator', 'x', 'cairn')
      const names = (await readdir(SQL_FOLDER)).sort()
      expect(await migrate({ databaseUrl, passwords: { cairn_ledger: 'y' } })).toEqual(names)
      await query(url('cairn_ledger', 'y', 'cairn'), 'select from ledger.head')
    },
  )
})

async function query(connectionString: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return await client.query(text)
  } finally {
    await client.end()
  }
}
