import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createId, createLedgerClient, type LedgerClient } from '@cairn/ledger-contracts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CrashablePostgres, startCrashablePostgres } from './support/crashable-postgres.ts'
import { createTestDirectory, type TestDirectory, type TestPlace } from './support/directory.ts'
import { type ServiceProcess, startServiceProcess, TEST_TOKEN } from './support/service-process.ts'

const CLI = join(import.meta.dirname, '../src/cli.ts')

let east: CrashablePostgres
let west: CrashablePostgres
let directory: TestDirectory
let service: ServiceProcess
beforeAll(async () => {
  ;[east, west] = await Promise.all([startCrashablePostgres(), startCrashablePostgres()])
  directory = await createTestDirectory()
  await directory.write(describePlaces([1, 3], [2]))
  service = await startServiceProcess({
    environment: { LEDGER_DIRECTORY: directory.file, LOG_LEVEL: 'error' },
  })
})
afterAll(async () => {
  await service.end('SIGTERM')
  await Promise.all([east.drop(), west.drop(), directory.drop()])
})

function describePlaces(
  eastern: TestPlace['ledgers'],
  western: TestPlace['ledgers'],
): readonly TestPlace[] {
  return [
    { name: 'east', url: east.database.url, ledgers: eastern },
    { name: 'west', url: west.database.url, ledgers: western },
  ]
}

const createClient = (ledger: number): LedgerClient =>
  createLedgerClient({ url: `http://127.0.0.1:${service.port}`, token: TEST_TOKEN, ledger })

/** Funds the reserve. Returns how it ended, or the error. */
function fund(ledger: number): Promise<string> {
  const transactionId = createId(Date.now())
  const command = {
    type: 'FundReserve',
    data: { transactionId, amountMinor: 100n, note: null },
    actor: 'system:test',
    key: transactionId,
    requestId: null,
    effectiveAt: null,
  } as const
  return createClient(ledger)
    .submit(command)
    .then(({ outcome }) => outcome, String)
}

const readSize = async (ledger: number) =>
  (await createClient(ledger).ask('head', { size: null })).size

/** Returns the sizes of the logs in a database, as `ledger:size`. */
async function listStoredLogs({ database }: CrashablePostgres): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query<{ log: string }>(
    `select ledger_id || ':' || size as log from ledger.head where size > 0 order by ledger_id`,
  )
  await client.end()
  return rows.map(({ log }) => log)
}

async function readHealth(): Promise<{ code: number; body: unknown }> {
  const answer = await fetch(`http://127.0.0.1:${service.port}/healthz`)
  return { code: answer.status, body: await answer.json() }
}

async function runCli(...args: readonly string[]): Promise<{ code: number | null; out: string }> {
  const env = { PATH: process.env.PATH, LEDGER_DIRECTORY: directory.file }
  const child = spawn(process.execPath, [CLI, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      out += chunk.toString()
    })
  }
  await once(child, 'close')
  return { code: child.exitCode, out }
}

test('each ledger is recorded in its place, and commands find it there', async () => {
  for (const ledger of [1, 2, 3, 2]) expect(await fund(ledger)).toBe('recorded')
  expect(await listStoredLogs(east)).toEqual(['1:1', '3:1'])
  expect(await listStoredLogs(west)).toEqual(['2:2'])
  expect(await readHealth()).toEqual({ code: 200, body: { status: 'ok', unavailable: [] } })
  for (const ledger of ['1', '2', '3']) {
    const { code, out } = await runCli('verify', '--ledger', ledger)
    expect(out).toContain(`${ledger === '2' ? 2 : 1} events`)
    expect(out).toContain('no difference found')
    expect(code).toBe(0)
  }
  expect((await runCli('verify', '--ledger', '4')).out).toBe('this installation has no ledger 4\n')
})

describe('while a place is down', () => {
  beforeAll(async () => {
    await east.crash()
    return () => east.start()
  })

  test('the ledgers of the others record and answer, and the health names the place', async () => {
    const before = await readSize(2)
    expect(await fund(2)).toBe('recorded')
    expect(await readSize(2)).toBe(before + 1n)
    await expect
      .poll(readHealth)
      .toEqual({ code: 200, body: { status: 'ok', unavailable: ['east'] } })
  })

  test('a service starts with the places that answer', async () => {
    await service.end('SIGTERM')
    await service.start()
    expect(await fund(2)).toBe('recorded')
    expect(await fund(1)).toContain('The database of ledger 1 does not answer; nothing was done')
  })

  test('sabotaged twin: ledgers that share the place that is down record nothing', async () => {
    await directory.write(describePlaces([1, 2, 3], []))
    await expect.poll(() => fund(2)).toContain('The database of ledger 2 does not answer')
    await directory.write(describePlaces([1, 3], [2]))
    await expect.poll(() => fund(2)).toBe('recorded')
  })
})

test('the ledgers of a place that answers again are opened', async () => {
  const before = await listStoredLogs(east)
  await expect.poll(() => fund(1)).toBe('recorded')
  expect(await readSize(1)).toBe(2n)
  expect(before).toEqual(['1:1', '3:1'])
  await expect.poll(readHealth).toEqual({ code: 200, body: { status: 'ok', unavailable: [] } })
})

describe('a directory that changes', () => {
  test('opens an added ledger, and ignores a file that is not valid', async () => {
    await directory.spoil()
    await expect.poll(() => service.readLog()).toContain('is not JSON')
    expect(await fund(1)).toBe('recorded')
    await directory.write(describePlaces([1, 3, 4], [2]))
    await expect.poll(() => fund(4)).toBe('recorded')
    expect(await listStoredLogs(east)).toContain('4:1')
  })

  test('a ledger that is given to another place is recorded there from then on', async () => {
    await directory.write(describePlaces([1, 3, 4, 5], [2]))
    await expect.poll(() => createClient(5).ask('head', { size: null })).toMatchObject({ size: 0n })
    await directory.write(describePlaces([1, 3, 4], [2, 5]))
    const isActive = async () => (await listActive(west)).includes(5)
    await expect.poll(isActive).toBe(true)
    expect(await listLocked(east)).toEqual([1, 3, 4])
    expect(await fund(5)).toBe('recorded')
    expect(await listStoredLogs(west)).toContain('5:1')
    expect(await listStoredLogs(east)).not.toContain('5:1')
  })

  test('an instance that stops releases the ledgers of all places', async () => {
    await service.end('SIGTERM')
    expect([...(await listLocked(east)), ...(await listLocked(west))]).toEqual([])
    await service.start()
    for (const ledger of [1, 2, 3, 4, 5]) expect(await fund(ledger)).toBe('recorded')
  })
})

/** Lists the ledgers that an instance took in this place. */
const listActive = (server: CrashablePostgres) =>
  listNumbers(server, 'select ledger_id as ledger from ledger.active_instance')

/** Lists the ledgers whose lock an instance holds in this place. */
const listLocked = (server: CrashablePostgres) =>
  listNumbers(
    server,
    `select objid::int as ledger from pg_locks where locktype = 'advisory' and granted
       and classid = x'63616972'::int order by 1`,
  )

async function listNumbers(
  { database }: CrashablePostgres,
  text: string,
): Promise<readonly number[]> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query<{ ledger: number }>(text)
  await client.end()
  return rows.map(({ ledger }) => ledger)
}
