import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Postgres, startPostgres } from '../postgres.ts'
import { getArchivePath, getSegmentPath } from './archive-settings.ts'
import { writeArchivedRange } from './archived.ts'
import { deleteOldBackups, FILES, findBackup, listBackupNames } from './backup-folder.ts'
import { listFolder } from './durable-files.ts'
import { examineArchive } from './examine-archive.ts'
import { writeFileList } from './file-list.ts'
import { type Recovering, recoverServer } from './recover-server.ts'
import { formatSegment, parseSegment } from './segments.ts'
import { takeBackup } from './take-backup.ts'

const PASSWORD = 'a password'
const NEWEST = { until: null, named: null }
const ignoreLine = () => {}

/**
 * The folder of a stopped server. The backup contains row 1. The archive has one segment for each of
 * the rows 2 to 4.
 */
let original: string
/** The segments with the rows 2 to 4. */
let segments: string[]
let afterRow2: Date
/** A copy of the folder. A test can damage the copy. */
let folder: string
let backupDir: string

beforeAll(async () => {
  original = await mkdtemp(join(tmpdir(), 'cairn-recovery-'))
  const server = await start(original)
  await query(server, 'create table kept (n int)')
  await insert(server, 1)
  await takeBackup({ ownerUrl: server.url(), backupDir: join(original, 'backups') })
  const found: string[] = []
  for (const n of [2, 3, 4]) {
    await insert(server, n)
    if (n === 2) afterRow2 = await readClock(server)
    // A recovery to a given time ends only when it reads a transaction after that time.
    await query(server, 'select pg_current_xact_id()')
    const { rows } = await query(server, 'select pg_walfile_name(pg_switch_wal()) as name')
    found.push(rows[0].name)
  }
  await server.stop()
  segments = found
})
afterAll(() => rm(original, { recursive: true, force: true }))

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-recovery-'))
  backupDir = join(folder, 'backups')
  await cp(join(original, 'backups'), backupDir, { recursive: true })
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function start(place: string): Promise<Postgres> {
  return startPostgres({
    dataDir: join(place, 'data', FILES),
    logFile: join(place, 'data', 'logs', 'postgres.log'),
    archiveDir: getArchivePath(join(place, 'backups')),
    password: PASSWORD,
  })
}

async function query(server: Postgres, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: server.url() })
  await client.connect()
  try {
    return await client.query(text)
  } finally {
    await client.end()
  }
}

const insert = (server: Postgres, n: number) => query(server, `insert into kept values (${n})`)

async function readClock(server: Postgres): Promise<Date> {
  const { rows } = await query(server, 'select clock_timestamp() as now')
  return rows[0].now
}

/** Recovers into a new folder and returns the rows. */
async function recover(
  given: Partial<Recovering> & { use?: (server: Postgres) => Promise<void> } = {},
): Promise<readonly number[]> {
  const { until = null, use = async () => {}, ...others } = given
  const backup = await findBackup(backupDir, { until, named: null })
  const into = await mkdtemp(join(folder, 'restored-'))
  const place = { backup, backupDir, until, into, lost: null }
  const server = await recoverServer({ ...place, password: PASSWORD, log: ignoreLine, ...others })
  try {
    const { rows } = await query(server, 'select n from kept order by n')
    await use(server)
    return rows.map(({ n }) => n)
  } finally {
    await server.stop()
  }
}

const getPath = (segment = '') => getSegmentPath(backupDir, segment)

/** The position of the checksum, counted from the end of a compressed file. */
const CHECKSUM = -6

async function changeByte(path: string, place = -20): Promise<void> {
  const bytes = await readFile(path)
  const at = bytes.length + place
  bytes[at] = (bytes[at] ?? 0) ^ 1
  await writeFile(path, bytes)
}

describe('recoverServer', () => {
  test('restores the newest state', async () => {
    expect(await recover()).toEqual([1, 2, 3, 4])
  })

  test('restores the state of a time', async () => {
    expect(await recover({ until: afterRow2 })).toEqual([1, 2])
  })

  test('says that the archive does not reach a time', async () => {
    await expect(recover({ until: new Date() })).rejects.toThrow(
      'leave out --to to restore the newest state',
    )
  })

  test('says that no backup is old enough', async () => {
    await expect(recover({ until: new Date(afterRow2.getTime() - 3_600_000) })).rejects.toThrow(
      'the oldest backup ends at',
    )
  })

  const DAMAGES = [
    { wrong: 'is missing', damage: (path: string) => rm(path) },
    // A changed byte in a run of zeros may have no effect. A changed byte of the checksum always
    // has an effect.
    { wrong: 'is damaged', damage: (path: string) => changeByte(path, CHECKSUM) },
  ]

  test.each(DAMAGES)('refuses an archive of which a segment $wrong', async ({ wrong, damage }) => {
    await damage(getPath(segments[1]))
    await expect(recover()).rejects.toThrow(`${getPath(segments[1])} ${wrong}.`)
    // The error message advises a recovery to the state before the damaged segment. This recovery
    // succeeds.
    expect(await recover({ until: afterRow2 })).toEqual([1, 2])
  })

  test.each(DAMAGES)(
    'sabotaged twin: without the examination, a segment that $wrong silently loses rows',
    async ({ damage }) => {
      await damage(getPath(segments[1]))
      const last = { timeline: 1, number: 0 }
      expect(await recover({ examine: async () => ({ last, problem: null }) })).toEqual([1, 2])
      // The position that the recovery reached is also compared with the newest archived segment.
      const complete = parseSegment(segments[2] ?? '') ?? last
      await expect(
        recover({ examine: async () => ({ last: complete, problem: null }) }),
      ).rejects.toThrow(`before the newest archived segment ${segments[2]}`)
    },
  )

  test('finds that the newest segment is missing, which only its record shows', async () => {
    const [newest = ''] = (await listFolder(getArchivePath(backupDir))).toReversed()
    const name = newest.slice(0, 24)
    await writeArchivedRange(backupDir, { segment: name, at: new Date().toISOString() })
    await rm(getPath(name))
    await expect(recover()).rejects.toThrow(`${getPath(name)} is missing.`)
    // Sabotaged twin: without the record of the newest archived segment, the recovery does not
    // notice the missing segment.
    await rm(join(backupDir, 'archived.json'))
    await recover()
  })

  test('refuses a backup with one changed byte', async () => {
    const { folder: place, list } = await findBackup(backupDir, NEWEST)
    const path = `${FILES}/postgresql.conf`
    await changeByte(join(place, path))
    await expect(recover()).rejects.toThrow(`${join(place, path)} is damaged: its SHA-256`)
    // Sabotaged twin: if the list of hashes has the hash of the changed file, the damaged backup is
    // accepted.
    const bytes = await readFile(join(place, path))
    const hash = createHash('sha256').update(bytes).digest('hex')
    await writeFileList(place, new Map([...list, [path, hash]]))
    expect(await recover()).toEqual([1, 2, 3, 4])
  })

  test('refuses a backup whose description was changed', async () => {
    const { folder: place } = await findBackup(backupDir, NEWEST)
    await changeByte(join(place, 'backup.json'))
    await expect(recover()).rejects.toThrow('backup.json is damaged: its SHA-256')
    await writeFile(join(place, 'files.sha256'), 'x')
    await expect(recover()).rejects.toThrow('files.sha256 is damaged')
    await rm(join(place, 'files.sha256'))
    await expect(recover()).rejects.toThrow('has no list of files')
  })

  test('uses the log of a killed server that was not archived yet', async () => {
    await cp(join(original, 'data'), join(folder, 'data'), { recursive: true })
    const server = await start(folder)
    await insert(server, 5)
    process.kill(server.pid, 'SIGKILL')
    await server.ended
    expect(await recover()).toEqual([1, 2, 3, 4])
    expect(await recover({ lost: server.dataDir })).toEqual([1, 2, 3, 4, 5])
    // If the target folder already contains the files of a server, these files are renamed. The
    // recovery also reads the write-ahead log in these files.
    expect(await recover({ into: join(folder, 'data') })).toEqual([1, 2, 3, 4, 5])
    const names = await listFolder(join(folder, 'data'))
    expect(names.filter((name) => name.startsWith(`${FILES}.before-restore-`))).toHaveLength(1)
  })

  test('follows the log of a restored server, and misses its segments too', async () => {
    const into = join(folder, 'data')
    const backup = await findBackup(backupDir, NEWEST)
    const place = { backup, backupDir, until: afterRow2, into, lost: null }
    await (await recoverServer({ ...place, password: PASSWORD, log: ignoreLine })).stop()
    const server = await start(folder)
    await insert(server, 6)
    const { rows } = await query(server, 'select pg_walfile_name(pg_switch_wal()) as name')
    await insert(server, 7)
    await server.stop()
    expect(await recover()).toEqual([1, 2, 6, 7])
    const { last } = await examineArchive(backupDir, backup)
    expect(formatSegment(last)).toMatch(/^00000002/)
    await rm(getPath(rows[0].name))
    await expect(recover()).rejects.toThrow(`${getPath(rows[0].name)} is missing.`)
  })
})

describe('takeBackup', () => {
  test('refuses a server that does not archive into the folder', async () => {
    await cp(join(original, 'data'), join(folder, 'data'), { recursive: true })
    const server = await start(folder)
    const other = join(folder, 'other')
    await expect(takeBackup({ ownerUrl: server.url(), backupDir: other })).rejects.toThrow(
      `start it with BACKUP_DIR=${other}`,
    )
    await server.stop()
  })

  test('a second backup allows the first one and its log to be deleted', async () => {
    await cp(join(original, 'data'), join(folder, 'data'), { recursive: true })
    const server = await start(folder)
    const [old = ''] = await listBackupNames(backupDir)
    const interrupted = `.draft-${spawnSync('true').pid}`
    await mkdir(join(backupDir, interrupted))
    const { name } = await takeBackup({ ownerUrl: server.url(), backupDir })
    await insert(server, 5)
    await server.stop()
    expect(await deleteOldBackups(backupDir, new Date(0))).toEqual([])
    expect(await deleteOldBackups(backupDir, new Date(Date.now() + 1_000))).toEqual([old])
    expect(await listBackupNames(backupDir)).toEqual([name])
    expect(await listFolder(backupDir)).not.toContain(interrupted)
    expect(await listFolder(getArchivePath(backupDir))).not.toContain(`${segments[0]}.gz`)
    expect(await recover()).toEqual([1, 2, 3, 4, 5])
  })
})
