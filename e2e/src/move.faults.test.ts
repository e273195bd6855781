import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiClient, logInAs } from './api-client.ts'
import { type Books, computeTreeHead, readBooks } from './books.ts'
import { runSqlAsSuperuser } from './intruder.ts'
import { listMails } from './mailbox.ts'
import { addInvestor, openAdminApi, type Person, requestDeposit } from './people.ts'
import { type Platform, startPlatform } from './platform.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')
const FILES = `select count(*)::int as files, md5(string_agg(bytes, '' order by id)) as content
  from platform.file`

let folder: string
let archive: string
let platform: Platform
let old: Platform
let investor: Person
/** A session that began before the move. */
let session: ApiClient
let before: Books
let files: readonly Record<string, unknown>[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-move-'))
  archive = join(folder, 'one.cairn')
  platform = await startPlatform()
  investor = await addInvestor(platform, { name: 'Mona Mover', balance: 0 })
  session = await logInAs(platform.url, investor.email, investor.password)
  await approveDeposit('75')
  files = await runSqlAsSuperuser(platform, FILES)
  expect(files[0]?.files).toBeGreaterThan(0)
  before = await readBooks(platform)
  // The mail about the deposit was possibly not sent yet.
  await platform.interrupt()
})
afterAll(async () => {
  await platform.remove()
  await old?.remove()
  await rm(folder, { recursive: true, force: true })
})

async function approveDeposit(amount: string): Promise<void> {
  const { id } = await requestDeposit(platform, investor, amount)
  const admin = await openAdminApi(platform)
  expect((await admin.send('PATCH', `transactions/${id}/action/approve`)).status).toBe(200)
}

/** Runs the command `export` or `import` as `npm run` does. */
function run(
  command: 'export' | 'import',
  args: readonly string[],
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [join(ROOT, 'local/src', `${command}.ts`), ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      DATA_DIR: platform.dataDir,
      DEMO: '1',
      EXPORT_PASSPHRASE: 'correct horse battery staple',
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  return new Promise((done) => child.once('close', (code) => done({ code, output })))
}

async function countDepositMails(): Promise<number> {
  const mails = await listMails(platform.mailUrl, investor.email)
  return mails.filter(({ subject }) => /deposit.*approved/i.test(subject)).length
}

test('a platform continues on another machine, with its sessions, files and mails', async () => {
  const exported = await run('export', [archive])
  expect(exported.output).toContain('This installation must not run here any more')
  expect(exported.code).toBe(0)
  const checked = await run('import', [archive, '--check'])
  expect(checked.output).toContain('this version can import it')

  const into = join(folder, 'moved')
  const imported = await run('import', [archive, '--into', into])
  expect(imported.output).toContain('no difference found')
  expect(imported.output).toContain('size and root as exported')
  expect(imported.code).toBe(0)
  await writeFile(join(into, 'clock'), '0')
  old = platform
  platform = await old.startAgain(into)

  const after = await readBooks(platform)
  expect(computeTreeHead(after.leaves.slice(0, before.size)).toString('hex')).toBe(before.root)
  expect(await runSqlAsSuperuser(platform, FILES)).toEqual(files)
  expect((await session.get('users/me')).status).toBe(200)
  await expect.poll(countDepositMails).toBe(1)
  await approveDeposit('25')
  await expect.poll(countDepositMails).toBe(2)
})

test('the exported platform does not start', async () => {
  await expect(old.startAgain()).rejects.toThrow('must not run here any more')
})
