import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type CrashablePostgres,
  startCrashablePostgres,
} from '../../test/support/crashable-postgres.ts'
import {
  createFundedInvestor,
  startTestLedger,
  type TestLedger,
} from '../../test/support/test-ledger.ts'
import { readDatabaseState } from './database-state.ts'

let folder: string
let archiveDir: string
let postgres: CrashablePostgres
let superuser: pg.Pool
let reader: pg.Pool
let ledger: TestLedger
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-archive-'))
  archiveDir = join(folder, 'backups', 'wal')
  await mkdir(dirname(archiveDir), { recursive: true })
  postgres = await startCrashablePostgres({ folder, archiveDir })
  superuser = new pg.Pool({ connectionString: postgres.database.url, max: 1 })
  reader = new pg.Pool({ connectionString: postgres.database.urlFor('cairn_ledger'), max: 1 })
  // The server can end a connection that is already closing.
  for (const pool of [superuser, reader]) {
    pool.on('connect', (client) => client.on('error', () => {}))
    pool.on('error', () => {})
  }
  ledger = await startTestLedger({ database: postgres.database })
})
afterAll(async () => {
  await ledger.close()
  await superuser.end()
  await reader.end()
  await postgres.drop()
  await rm(folder, { recursive: true, force: true })
})

const readLag = async () => (await readDatabaseState(reader)).archiveLagSeconds

test('the archive is late while it lacks recorded events, and has all events after that', async () => {
  await createFundedInvestor(ledger, { amountMinor: 100n })
  await superuser.query('select pg_switch_wal()')
  await expect.poll(readLag).toBe(0)

  // Without its folder, the server cannot archive.
  await rename(archiveDir, `${archiveDir}-moved`)
  await createFundedInvestor(ledger, { amountMinor: 100n })
  await superuser.query('select pg_switch_wal()')
  const readFailures = async () => {
    const { rows } = await superuser.query('select failed_count::int as n from pg_stat_archiver')
    return rows[0].n
  }
  await expect.poll(readFailures).toBeGreaterThan(0)
  // One segment that waits is enough, even if no event is newer than the last archived segment.
  await superuser.query('select pg_switch_wal()')
  expect((await readDatabaseState(reader)).archiveWaitingSegments).toBeGreaterThan(0)
  const lag = await readLag()
  expect(lag).toBeGreaterThan(0)
  expect(await readLag()).toBeGreaterThan(Number(lag))

  await rename(`${archiveDir}-moved`, archiveDir)
  // The server waits up to a minute before it tries to archive a segment again.
  await expect.poll(readLag, { timeout: 180_000, interval: 1_000 }).toBe(0)
  expect((await readDatabaseState(reader)).archiveWaitingSegments).toBe(0)
})

test('the role of the ledger sees that there is no standby, and no delay', async () => {
  expect(await readDatabaseState(reader)).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+/),
    standbys: 0,
    standbyLagSeconds: null,
  })
  expect(await readDatabaseState(superuser)).toMatchObject({ standbys: 0, standbyLagSeconds: 0 })
})
