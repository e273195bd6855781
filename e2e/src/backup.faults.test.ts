import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres } from '@cairn/local/postgres'
import { startWeeklyDrill } from '@cairn/local/weekly-drill'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logInAs } from './api-client.ts'
import { type Books, computeTreeHead, readBooks } from './books.ts'
import { addInvestor, openAdminApi, type Person } from './people.ts'
import { type Platform, startPlatform } from './platform.ts'
import { LOGINS } from './site-pages.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')

let folder: string
let backupDir: string
let platform: Platform
/** A time after the user `deleted` was added and before the user `late` was added. */
let middle: string
let deleted: Person
let late: Person
let before: Books

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-backup-'))
  backupDir = join(folder, 'backups')
  platform = await startPlatform({ backupDir })
  expect((await run('backup')).output).toMatch(/backup-\d{8}T\d{6}Z: \d+ files in/)
  deleted = await addInvestor(platform, { name: 'Dora Gone', balance: 0, hasBank: false })
  middle = new Date().toISOString()
  late = await addInvestor(platform, { name: 'Late Joiner', balance: 50 })
  const admin = await openAdminApi(platform)
  expect((await admin.send('DELETE', `users/${deleted.id}`)).status).toBe(204)
})
afterAll(async () => {
  await platform.remove()
  await rm(folder, { recursive: true, force: true })
})

/** Runs the command `backup`, `restore` or `drill` as `npm run` does. */
function run(
  command: 'backup' | 'drill' | 'restore',
  args: readonly string[] = [],
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [join(ROOT, 'local/src', `${command}.ts`), ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DATA_DIR: platform.dataDir, BACKUP_DIR: backupDir, DEMO: '1' },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  return new Promise((done) => child.once('close', (code) => done({ code, output })))
}

/** Reads a restored data directory with a server of its own. */
async function readRestoredData(dataDir: string): Promise<{ events: number; names: string[] }> {
  const password = (await readFile(join(dataDir, 'secrets', 'postgres'), 'utf8')).trim()
  const logFile = join(dataDir, 'logs', 'postgres.log')
  const server = await startPostgres({ dataDir: join(dataDir, 'postgres'), logFile, password })
  const client = new pg.Client({ connectionString: server.url('postgres', password, 'cairn') })
  await client.connect()
  try {
    const head = await client.query('select size::int as size from ledger.head')
    const users = await client.query('select name from identity.user')
    return { events: head.rows[0].size, names: users.rows.map(({ name }) => name) }
  } finally {
    await client.end()
    await server.stop()
  }
}

test('a drill compares every archived event with the running platform, which continues to run', async () => {
  const { code, output } = await run('drill')
  expect(output).toMatch(/recovered in \d+\.\d s/)
  expect(output).toMatch(/\d{4} events compared with the running platform, no difference/)
  expect(code).toBe(0)
  const result = JSON.parse(await readFile(join(backupDir, 'last-drill.json'), 'utf8'))
  expect(result).toMatchObject({ passed: true, problem: null })
  expect(result.ledgers[0].compared).toBeGreaterThan(1_000)
  const metrics = await (await fetch(`${platform.url}/metrics`)).text()
  expect(metrics).toMatch(/^cairn_drill_age_seconds \d+$/m)
  expect(metrics).toContain('\ncairn_drill_failed 0\n')
  expect((await fetch(`${platform.url}/readyz`)).status).toBe(200)
})

test('the weekly drill runs when the last one is a week old, and not again after it', async () => {
  const file = join(backupDir, 'last-drill.json')
  const readLast = async () => JSON.parse(await readFile(file, 'utf8'))
  const startedAt = new Date(Date.now() - 7 * 86_400_000).toISOString()
  await writeFile(file, JSON.stringify({ ...(await readLast()), startedAt }))
  const lines: string[] = []
  const { dataDir } = platform
  const startSchedule = () =>
    startWeeklyDrill({
      environment: { dataDir, backupDir, ledgers: 1, drillDays: 7, stanza: null },
      log: (line) => lines.push(line),
      checkMs: 100,
    })
  let schedule = startSchedule()
  try {
    await expect.poll(() => lines, { timeout: 300_000 }).toEqual(['the weekly drill passed'])
    const last = await readLast()
    expect(last).toMatchObject({ passed: true, problem: null })
    expect(last.ledgers[0].compared).toBeGreaterThan(1_000)
    await sleep(1_000)
    expect(lines).toHaveLength(1)

    // A stop ends a drill that is running, which leaves no copy and no result.
    await schedule.stop(60_000)
    schedule = startSchedule()
    await writeFile(file, JSON.stringify({ ...last, startedAt }))
    const output = join(dataDir, 'logs', 'drill.log')
    const readStarts = async () => (await readFile(output, 'utf8')).match(/restoring/g)?.length
    await expect.poll(readStarts, { timeout: 300_000 }).toBe(2)
    await schedule.stop(60_000)
    expect(await readLast()).toMatchObject({ startedAt })
    const [, into = ''] =
      (await readFile(output, 'utf8')).split('restoring').at(-1)?.split('into ') ?? []
    expect(existsSync(into.split('\n')[0] ?? '')).toBe(false)
  } finally {
    await schedule.stop(60_000)
  }
})

test('a restore refuses the folder of a running platform', async () => {
  const { code, output } = await run('restore', ['--set-aside'])
  expect(output).toContain(`a platform runs on ${platform.dataDir}`)
  expect(code).toBe(1)
})

test('after the data directory was deleted, all events and logins are restored', async () => {
  before = await readBooks(platform)
  await platform.interrupt()
  const { code: refused, output: refusal } = await run('restore')
  expect(refusal).toContain(`${platform.dataDir} is not empty`)
  expect(refused).toBe(1)
  await rm(platform.dataDir, { recursive: true })

  const { code, output } = await run('restore')
  expect(output).toContain('no difference found')
  expect(output).toContain('outside the database agrees')
  expect(output).not.toContain('missing')
  expect(code).toBe(0)
  await writeFile(join(platform.dataDir, 'clock'), '0')
  platform = await platform.startAgain()

  const after = await readBooks(platform)
  expect(after.size).toBeGreaterThanOrEqual(before.size)
  expect(computeTreeHead(after.leaves.slice(0, before.size)).toString('hex')).toBe(before.root)
  await logInAs(platform.url, LOGINS.admin.email, LOGINS.admin.password)
  await logInAs(platform.url, late.email, late.password)
  await expect(logInAs(platform.url, deleted.email, deleted.password)).rejects.toThrow('login')
  await platform.interrupt()
})

test('the state of a time is restored, except the people who were deleted since', async () => {
  const into = join(folder, 'at-a-time')
  const { code, output } = await run('restore', ['--to', middle, '--into', into])
  expect(output).toContain('People deleted again: 1')
  expect(output).toMatch(/[1-9]\d* signed events are missing/)
  expect(output).toContain('The ledger refuses to start on this state')
  expect(code).toBe(0)
  const { events, names } = await readRestoredData(into)
  expect(events).toBeLessThan(before.size)
  expect(names).not.toContain(deleted.name)
  expect(names).not.toContain(late.name)

  // Sabotaged twin: if the list of deleted people is missing, the restore brings the deleted person
  // back.
  await rm(join(backupDir, 'erasures.json'))
  const twin = join(folder, 'twin')
  expect((await run('restore', ['--to', middle, '--into', twin])).code).toBe(0)
  expect((await readRestoredData(twin)).names).toContain(deleted.name)
})
