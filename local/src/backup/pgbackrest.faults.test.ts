import { spawn } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../environment.ts'
import { fundInvestor, readReceipt, startTestLedger, type TestLedger } from '../test-ledger.ts'
import { listFolder } from './durable-files.ts'
import { startCopying } from './keep-copies.ts'
import {
  findOwnPrograms,
  type OwnTestServer,
  STANZA,
  startOwnTestServer,
} from './own-test-server.ts'

// The database and the ledger of an installation on a server of its own, without the other parts.

const programs = findOwnPrograms()
const isSkipped = programs === null && process.env.CI !== 'true'
if (isSkipped) {
  console.warn('skipped: pgBackRest is not installed (apt-get install pgbackrest postgresql)')
}

let server: OwnTestServer
let ledger: TestLedger
let variables: Record<string, string>

describe.skipIf(isSkipped)('a server of DATABASE_URL with pgBackRest', () => {
  beforeAll(async () => {
    server = await startOwnTestServer(programs ?? '')
    variables = {
      DATA_DIR: join(server.folder, 'data'),
      BACKUP_DIR: join(server.folder, 'backups'),
      DATABASE_URL: server.databaseUrl,
      PGBACKREST_STANZA: STANZA,
      PGBACKREST_CONFIG: server.config,
      TMPDIR: server.folder,
      DEMO: '0',
      NODE_ENV: 'test',
      LOG_LEVEL: 'fatal',
      PATH: process.env.PATH ?? '',
    }
    await createTablespace()
    ledger = await startTestLedger(variables)
    await moveMoney()
  })
  afterAll(async () => {
    await ledger?.stop()
    await server?.stop()
  })

  /** Stores a table outside of the data directory, as a server with several disks does. */
  async function createTablespace(): Promise<void> {
    const location = join(server.folder, 'home', 'second-disk')
    await server.query(`copy (select) to program 'mkdir ${location}'`)
    await server.query(`create tablespace second_disk location '${location}'`)
    await server.query('create table elsewhere tablespace second_disk as select 7 as value')
  }

  /** Records two events, which a signed checkpoint then covers. */
  async function moveMoney(): Promise<void> {
    await readReceipt(ledger.client, await fundInvestor(ledger.client))
  }

  /** Runs the command as `npm run` does. */
  function run(
    command: 'backup' | 'drill' | 'restore',
    { args = [], env = {} }: { args?: readonly string[]; env?: Record<string, string> } = {},
  ): Promise<{ code: number | null; output: string }> {
    const child = spawn(process.execPath, [join(ROOT, 'local/src', `${command}.ts`), ...args], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...variables, ...env },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
      })
    }
    return new Promise((done) => child.once('close', (code) => done({ code, output })))
  }

  async function expectRefusal(reason: string, env: Record<string, string> = {}): Promise<void> {
    const { code, output } = await run('backup', { env })
    expect(output).toContain(reason)
    expect(code).toBe(1)
    expect(await readLast('backup')).toMatchObject({ passed: false })
  }

  const readLast = async (command: 'backup' | 'drill') =>
    JSON.parse(await readFile(join(variables.BACKUP_DIR ?? '', `last-${command}.json`), 'utf8'))

  /** Archives the present segment. Returns the path of its file in the repository. */
  async function archiveSegment(): Promise<string> {
    // An empty segment is not archived.
    await server.query('select pg_current_xact_id()')
    const [row] = await server.query('select pg_walfile_name(pg_switch_wal()) as name')
    const name = String(row?.name)
    const isArchived = async () => {
      const [last] = await server.query('select last_archived_wal as name from pg_stat_archiver')
      return String(last?.name) >= name
    }
    await expect.poll(isArchived).toBe(true)
    const files = await readdir(server.archive, { recursive: true })
    return join(server.archive, files.find((file) => file.includes(`${name}-`)) ?? '')
  }

  test('a backup is refused until the stanza, the cipher and the archive are in order', async () => {
    await expectRefusal(
      `the repository of pgBackRest has no stanza ${STANZA} (missing stanza path)`,
    )
    const open = await server.writeConfig('open.conf', [`repo1-path=${server.folder}/home/open`])
    server.createStanza(open)
    await expectRefusal('repository 1 of pgBackRest is not encrypted', { PGBACKREST_CONFIG: open })
    server.createStanza(server.config)
    await server.query('alter system set archive_timeout = 0')
    await server.query('select pg_reload_conf()')
    await expectRefusal('set archive_timeout=60')
    await server.query('alter system reset archive_timeout')
    await server.query('select pg_reload_conf()')
    const PATH = join(server.folder, 'bin')
    await mkdir(PATH)
    await symlink('/usr/bin/id', join(PATH, 'id'))
    await expectRefusal('pgBackRest is not installed here', { PATH })
  })

  test('the first backup is full, the next ones are not', async () => {
    const { code, output } = await run('backup')
    expect(output).toMatch(/\d{8}-\d{6}F: full backup, [\d.]+ MB new, in/)
    expect(output).toContain('at most the last 60 s are lost')
    expect(code).toBe(0)
    expect(await readLast('backup')).toMatchObject({ passed: true, problem: null, type: 'full' })
    expect((await run('backup')).output).toMatch(/\d{8}-\d{6}F_\d{8}-\d{6}I: incr backup/)
    expect((await run('backup', { args: ['--full'] })).output).toContain('full backup')
  })

  /** Returns a PATH in which `command` runs before each run of pgBackRest, as its user. */
  async function interposeCommand(name: string, command: string): Promise<string> {
    const folder = join(server.folder, name)
    await mkdir(folder)
    const lines = ['#!/bin/sh', `${command} >&2`, 'exec /usr/bin/pgbackrest "$@"']
    await writeFile(join(folder, 'pgbackrest'), `${lines.join('\n')}\n`, { mode: 0o755 })
    return `${folder}:${variables.PATH}`
  }

  test('no connection has to survive the backup', async () => {
    const { port } = new URL(server.databaseUrl)
    const cut =
      `select pg_terminate_backend(pid, 10000) from pg_stat_activity ` +
      `where usename = 'operator' and application_name = ''`
    const psql = `${programs}/psql -qAt -h 127.0.0.1 -p ${port} -U postgres postgres`
    const PATH = await interposeCommand('cutting', `${psql} -c "${cut}"`)
    const { code, output } = await run('backup', { env: { PATH } })
    expect(output).toContain('incr backup')
    expect(code).toBe(0)
  })

  test('a backup of services with systemd copies the checkpoints that are older', async () => {
    const DATA_DIR = join(server.folder, 'state')
    const checkpoints = join(DATA_DIR, 'checkpoints')
    await mkdir(checkpoints, { recursive: true })
    await writeFile(join(checkpoints, 'ledger-1-old.txt'), 'signed before')
    await chmod(checkpoints, 0o777)
    const PATH = await interposeCommand(
      'signing',
      `echo later > ${checkpoints}/ledger-1-new.txt; true`,
    )
    const BACKUP_DIR = join(server.folder, 'backups-of-services')
    const { code } = await run('backup', { env: { DATA_DIR, BACKUP_DIR, PATH } })
    expect(code).toBe(0)
    expect(await listFolder(checkpoints)).toHaveLength(2)
    expect(await listFolder(join(BACKUP_DIR, 'checkpoints'))).toEqual(['ledger-1-old.txt'])
  })

  test('the platform copies its checkpoints after their events are archived', async () => {
    const [dataDir = '', backupDir = ''] = [variables.DATA_DIR, variables.BACKUP_DIR]
    const lines: string[] = []
    const log = (line: string) => void lines.push(line)
    const ownerUrl = server.databaseUrl
    const copies = startCopying({ ownerUrl, dataDir, backupDir, log, periodMs: 100 })
    const listCopies = () => listFolder(join(backupDir, 'checkpoints'))
    expect(await listCopies()).toEqual([])
    await expect
      .poll(async () => {
        await archiveSegment()
        return listCopies()
      })
      .not.toEqual([])
    await copies.stop()
    expect(lines).toEqual([])
  })

  test('a drill compares every archived event with the running server, and cleans up', async () => {
    await moveMoney()
    await archiveSegment()
    const { code, output } = await run('drill')
    expect(output).toMatch(/recovered in \d+\.\d s/)
    expect(output).toContain('4 events compared with the running platform, no difference')
    expect(code).toBe(0)
    expect(await readLast('drill')).toMatchObject({ passed: true, problem: null })
    const names = await listFolder(server.folder)
    expect(names.filter((name) => name.startsWith('cairn-drill-'))).toEqual([])
  })

  test('a drill fails at a damaged or missing segment, which PostgreSQL takes for the end', async () => {
    await moveMoney()
    const path = await archiveSegment()
    await moveMoney()
    const newest = await archiveSegment()
    const bytes = await readFile(path)
    const changed = Buffer.from(bytes)
    const at = Math.floor(bytes.length / 2)
    changed[at] = (changed[at] ?? 0) ^ 1
    await writeFile(path, changed)
    await expectDamage(/before the newest archived segment \w{24}: .+\. Repair the repository/)
    await writeFile(path, bytes)

    await rename(newest, `${newest}.aside`)
    await expectDamage('a segment is missing. Repair the repository')
    await rename(`${newest}.aside`, newest)
    expect((await run('drill')).output).toContain('8 events compared')
  })

  async function expectDamage(reason: RegExp | string): Promise<void> {
    const { code, output } = await run('drill')
    expect(output).toMatch(reason)
    expect(code).toBe(1)
    const { passed, problem } = await readLast('drill')
    expect(passed).toBe(false)
    expect(problem).toMatch(reason)
  }

  test('the state of a time is restored into a folder, with its secrets', async () => {
    const [row] = await server.query('select clock_timestamp() as now')
    const until = row?.now
    if (!(until instanceof Date)) throw new Error('the server has no clock')
    await moveMoney()
    await archiveSegment()
    const into = join(server.folder, 'restored')
    const args = ['--to', until.toISOString(), '--into', into]
    const { code, output } = await run('restore', { args })
    expect(output).toContain('ledger 1: 8 events; the checkpoint of 8 events')
    expect(output).toContain('ledger 1: 2 signed events are missing')
    expect(output).toContain(
      `Set pg1-path of pgBackRest to ${into}/postgres, start PostgreSQL on it`,
    )
    expect(code).toBe(0)
    expect(await readFile(join(into, 'secrets', 'session'), 'utf8')).toBe(
      await readFile(join(variables.DATA_DIR ?? '', 'secrets', 'session'), 'utf8'),
    )
    const elsewhere = await readdir(join(into, 'tablespaces'), { recursive: true })
    const [stored] = await server.query(`select pg_relation_filenode('elsewhere') as file`)
    expect(elsewhere.map((path) => basename(path))).toContain(String(stored?.file))
    // The server archives the history of its timeline when it archives again.
    const states = await listFolder(join(into, 'postgres', 'pg_wal', 'archive_status'))
    expect(states).toContain('00000002.history.ready')

    const early = new Date(until.getTime() - 3_600_000).toISOString()
    const refused = await run('restore', { args: ['--to', early, '--into', `${into}-early`] })
    expect(refused.output).toContain('the oldest backup ends at')
  })
})
