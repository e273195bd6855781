import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Postgres, startPostgres } from '../postgres.ts'
import { createTestDatabase, type TestDatabase } from '../test-database.ts'
import { getArchivePath } from './archive-settings.ts'
import { readArchivedRange } from './archived.ts'
import { compareEvents, compareWithCheckpoints } from './check-restored.ts'
import { listFolder } from './durable-files.ts'
import { addErasures, copyErasures } from './erasures.ts'
import { startCopying } from './keep-copies.ts'

const PERIOD_MS = 20
const FILE = 'ledger-1-checkpoints-2026-11.txt'
const LATER_FILE = 'ledger-1-checkpoints-2026-12.txt'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-keep-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function query(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(text)
  } finally {
    await client.end()
  }
}

const ERASURE = `create schema person_keys;
  create table person_keys.erasure (user_id text primary key, erased_at timestamptz not null)`

describe('startCopying', () => {
  let server: Postgres
  let place: { ownerUrl: string; dataDir: string; backupDir: string; log: (line: string) => void }
  let said: string[]

  beforeEach(async () => {
    const [dataDir, backupDir] = [join(folder, 'data'), join(folder, 'backups')]
    await mkdir(join(dataDir, 'checkpoints'), { recursive: true })
    await writeFile(join(dataDir, 'checkpoints', FILE), 'a note\n')
    await mkdir(join(dataDir, 'secrets'))
    await writeFile(join(dataDir, 'secrets', 'session'), 'a secret')
    server = await startPostgres({
      dataDir: join(dataDir, 'postgres'),
      logFile: join(dataDir, 'log'),
      archiveDir: getArchivePath(backupDir),
      // The server archives nothing until the test ends a segment.
      settings: { archive_timeout: '0' },
      password: 'a password',
    })
    await query(server.url(), ERASURE)
    said = []
    const log = (line: string) => void said.push(line)
    place = { ownerUrl: server.url(), dataDir, backupDir, log }
  })
  afterEach(() => server.stop())

  const listCopiedBackups = () => listFolder(join(place.backupDir, 'checkpoints'))

  test('copies a checkpoint only after the events before it are archived', async () => {
    const keeper = startCopying({ ...place, periodMs: PERIOD_MS })
    await expect.poll(() => listFolder(join(place.backupDir, 'secrets'))).toHaveLength(1)
    await sleep(PERIOD_MS * 20)
    expect(await listCopiedBackups()).toEqual([])
    await query(server.url(), 'select pg_switch_wal()')
    await expect.poll(listCopiedBackups).toEqual([FILE])
    expect((await readArchivedRange(place.backupDir))?.segment).toMatch(/^00000001/)
    await keeper.stop()
    expect(said).toEqual([])
  })

  test('sabotaged twin: without the wait, a checkpoint is ahead of the archive', async () => {
    const keeper = startCopying({ ...place, periodMs: PERIOD_MS, isArchived: () => true })
    await expect.poll(listCopiedBackups).toEqual([FILE])
    expect(await listFolder(getArchivePath(place.backupDir))).toEqual([])
    await keeper.stop()
  })

  test('copies the last checkpoint after the server has stopped', async () => {
    const keeper = startCopying({ ...place, periodMs: PERIOD_MS })
    await keeper.stop()
    expect(await listCopiedBackups()).toEqual([])
    await server.stop()
    await keeper.finish()
    expect(await listCopiedBackups()).toEqual([FILE])
  })

  test('lists the files again after a file cannot be copied', async () => {
    const checkpoints = join(place.dataDir, 'checkpoints')
    const isArchived = vi.fn(() => false)
    const keeper = startCopying({ ...place, periodMs: PERIOD_MS, isArchived })
    await expect.poll(() => isArchived).toHaveBeenCalled()
    await rename(join(checkpoints, FILE), join(checkpoints, LATER_FILE))
    isArchived.mockReturnValue(true)
    await expect.poll(listCopiedBackups).toContain(LATER_FILE)
    await keeper.stop()
    expect(said).toEqual([expect.stringContaining('ENOENT')])
  })

  test('logs that the last checkpoint cannot be copied', async () => {
    const keeper = startCopying({ ...place, periodMs: PERIOD_MS })
    await keeper.stop()
    await rm(join(place.dataDir, 'checkpoints', FILE))
    await server.stop()
    await keeper.finish()
    expect(said).toEqual([expect.stringContaining('backup copies: ENOENT')])
  })

  test('reports once that the archive cannot be written', async () => {
    await rm(getArchivePath(place.backupDir), { recursive: true })
    const keeper = startCopying({ ...place, periodMs: PERIOD_MS })
    await query(server.url(), 'select pg_switch_wal()')
    await expect.poll(() => said).toHaveLength(1)
    expect(said[0]).toContain('cannot be archived')
    await sleep(PERIOD_MS * 20)
    expect(said).toHaveLength(1)
    await keeper.stop()
  })
})

describe('comparing a restored database', () => {
  let [running, restored]: TestDatabase[] = []
  const getUrl = (database: TestDatabase | undefined) => database?.url ?? ''

  beforeAll(async () => {
    running = await createTestDatabase({ empty: true })
    restored = await createTestDatabase({ empty: true })
    for (const database of [running, restored]) {
      await query(
        getUrl(database),
        `${ERASURE}; create schema ledger;
         create table ledger.event (ledger_id int, seq bigint, leaf_hash bytea, bytes bytea);
         insert into ledger.event select 1, n, sha256(n::text::bytea), n::text::bytea
           from generate_series(0, 10011) as n;
         create table ledger.head as select 1 as ledger_id, 10012 as size;
         create table ledger.checkpoint as select 1 as ledger_id, 9 as size, sha256('9') as root, 'log/1' as note`,
      )
    }
  })
  afterAll(async () => {
    await running?.drop()
    await restored?.drop()
  })

  const compare = () =>
    compareEvents({ running: getUrl(running), restored: getUrl(restored), ledger: 1 })

  test('counts the events that are the same and those that are newer', async () => {
    await query(getUrl(restored), 'delete from ledger.event where seq > 10009')
    expect(await compare()).toEqual({ compared: 10_010, firstDifferent: null, newer: 2 })
  })

  test('names the first event that differs, also if its stored hash is the same', async () => {
    await query(getUrl(restored), `update ledger.event set bytes = 'x' where seq = 10003`)
    expect(await compare()).toMatchObject({ firstDifferent: '10003' })
    await query(getUrl(running), 'delete from ledger.event where seq = 77')
    expect(await compare()).toMatchObject({ firstDifferent: '77' })
  })

  test('compares roots with the checkpoints outside the database', async () => {
    const formatNote = (name: string, size: number, root: string) =>
      `${name}\n${size}\n${root}\n\n— ${name} AAAA\n\n`
    const compareRoots = async (root: string, size = 9, later = '') => {
      await writeFile(join(folder, FILE), `${formatNote('log/1', size, root)}${later}`)
      return compareWithCheckpoints({ url: getUrl(restored), ledger: 1, folder })
    }
    const { rows } = await query(getUrl(restored), `select encode(sha256('9'), 'base64') as root`)
    const { root } = rows[0]
    const same = { events: 10_012, compared: 9, different: null, missing: 0 }
    expect(await compareRoots(root)).toEqual(same)
    expect(await compareRoots(`A${root.slice(1)}`)).toMatchObject({ different: 9 })
    expect(await compareRoots(root, 10_020)).toMatchObject({ compared: null, missing: 8 })
    // The log was forked, and the restored database does not contain the fork yet.
    expect(await compareRoots(root, 9, formatNote('log/1.2', 9, root))).toEqual({
      ...same,
      missing: 1,
    })
  })

  test('the list of deleted people is copied and added to a restored database', async () => {
    await query(getUrl(running), `insert into person_keys.erasure values ('ada', now())`)
    const pool = new pg.Pool({ connectionString: getUrl(running) })
    await copyErasures(pool, folder)
    await query(getUrl(running), `insert into person_keys.erasure values ('bob', now())`)
    await copyErasures(pool, folder)
    await copyErasures(pool, folder)
    await pool.end()
    expect(await addErasures(getUrl(restored), folder)).toBe(2)
    expect(await addErasures(getUrl(restored), folder)).toBe(0)
    const text = 'select user_id, erased_at from person_keys.erasure order by user_id'
    const [ours, theirs] = [await query(getUrl(running), text), await query(getUrl(restored), text)]
    expect(theirs.rows).toEqual(ours.rows)
  })
})
