import { readFileSync } from 'node:fs'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { announceRelease } from '@cairn/service-kit/announce-release'
import { RELEASE } from '@cairn/service-kit/release'
import pg from 'pg'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { findReasonToWait } from './contract-wait.ts'
import { migrate } from './migrate.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const SQL_FOLDER = join(ROOT, 'migrations', 'sql')
const NEEDED = ['0001_roles.sql', '0012_expand_releases.sql']
const CONTRACT = '9001_contract_note.sql'

let database: TestDatabase
let folder: string
/** The connection of a process of the gateway. */
let gateway: pg.Client
let owner: pg.Client
let printed: string[]

beforeEach(async () => {
  database = await createTestDatabase({ empty: true })
  folder = await mkdtemp(join(tmpdir(), 'cairn-contract-'))
  for (const name of NEEDED) await cp(join(SQL_FOLDER, name), join(folder, name))
  await writeFile(
    join(folder, '9000_expand_note.sql'),
    `create table public.note (old text, new text); grant usage on schema public to cairn_gateway; grant select on public.note to cairn_gateway`,
  )
  await run()
  await writeFile(join(folder, CONTRACT), 'alter table public.note drop column old')
  gateway = new pg.Client({ connectionString: database.urlFor('cairn_gateway') })
  owner = new pg.Client({ connectionString: database.url })
  await Promise.all([gateway.connect(), owner.connect()])
})
afterEach(async () => {
  await Promise.all([gateway.end(), owner.end()])
  await database.drop()
  await rm(folder, { recursive: true })
})

function run(isContractAllowed = false): Promise<readonly string[]> {
  printed = []
  const log = (line: string) => void printed.push(line)
  return migrate({ databaseUrl: database.url, folder, log, isContractAllowed })
}

const announce = (role = 'cairn_gateway') =>
  announceRelease({ url: database.urlFor(role), log: pino({ level: 'silent' }) })

/** Moves the times of a release into the past. */
async function age(release: string, times: { first: string; last: string }): Promise<void> {
  await owner.query(
    `update migrations.release_seen set first_seen_at = now() - $2::interval,
       last_seen_at = now() - $3::interval where release = $1`,
    [release, times.first, times.last],
  )
}

async function addRelease(release: string, lastSeen: string): Promise<void> {
  await owner.query(
    `insert into migrations.release_seen values
       ('cairn_gateway', $1, now() - interval '9 days', now() - $2::interval)`,
    [release, lastSeen],
  )
}

const DAY_OLD = { first: '25 hours', last: '30 minutes' }

describe('a migration that contracts, beside running processes', () => {
  it('waits for a process that has announced nothing', async () => {
    expect(await run()).toEqual([])
    const reason = 'cairn_gateway is connected, and its release is not known'
    expect(printed).toEqual([`${CONTRACT} waits: ${reason}`])
  })

  it('waits until this release is known for a day, and is then applied', async () => {
    await announce()
    expect(await run()).toEqual([])
    expect(printed[0]).toContain('cairn_gateway has had this release for less than a day')
    await age(RELEASE, DAY_OLD)
    expect(await run()).toEqual([CONTRACT])
  })

  it('waits until no older release was seen for a day', async () => {
    await announce()
    await age(RELEASE, DAY_OLD)
    await addRelease('0.0.9', '23 hours')
    expect(await run()).toEqual([])
    expect(printed[0]).toContain('cairn_gateway of release 0.0.9 was seen less than a day ago')
    await age('0.0.9', { first: '9 days', last: '25 hours' })
    expect(await run()).toEqual([CONTRACT])
  })

  it('waits for each connected process', async () => {
    await announce()
    await age(RELEASE, DAY_OLD)
    const worker = new pg.Client({ connectionString: database.urlFor('cairn_gateway_worker') })
    await worker.connect()
    expect(await run()).toEqual([])
    expect(printed[0]).toContain('cairn_gateway_worker is connected, and its release is not known')
    await worker.end()
    await expect.poll(() => run()).toEqual([CONTRACT])
  })

  it('waits for a process that has stopped to announce its release', async () => {
    await announce()
    await age(RELEASE, { first: '9 days', last: '3 hours' })
    expect(await run()).toEqual([])
    expect(printed[0]).toContain('its release is not known')
  })

  it('sabotaged twin: without the wait, an older process loses the column that it reads', async () => {
    await announce()
    await age(RELEASE, DAY_OLD)
    await addRelease('0.0.9', '1 hour')
    const read = () => gateway.query('select old from public.note')
    expect(await run()).toEqual([])
    expect((await read()).rows).toEqual([])
    expect(await run(true)).toEqual([CONTRACT])
    await expect(read()).rejects.toThrow('column "old" does not exist')
  })
})

test('releases are compared by number', async () => {
  await addRelease('0.9.0', '1 hour')
  expect(await findReasonToWait(owner, '0.10.0')).toContain('of release 0.9.0 was seen')
  expect(await findReasonToWait(owner, '0.0.9')).toBeNull()
})

test('a process announces only its own role', async () => {
  await announce('cairn_ledger_worker')
  const { rows } = await owner.query('select role, release from migrations.release_seen')
  expect(rows).toEqual([{ role: 'cairn_ledger_worker', release: RELEASE }])
  await expect(gateway.query('delete from migrations.release_seen')).rejects.toThrow(
    'permission denied',
  )
})

test('the release of the programs is that of package.json', () => {
  const text = readFileSync(join(ROOT, 'package.json'), 'utf8')
  expect(JSON.parse(text).version).toBe(RELEASE)
})
