import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CrashablePostgres } from './support/crashable-postgres.ts'
import type { TestPlace } from './support/directory.ts'
import {
  describePlaces,
  queryServer,
  startTwoPlaces,
  type TwoPlaces,
} from './support/two-places.ts'

let places: TwoPlaces
beforeAll(async () => {
  places = await startTwoPlaces({ east: [1, 3], west: [2] }, { LOG_LEVEL: 'error' })
})
afterAll(() => places.drop())

const writeDirectory = (east: TestPlace['ledgers'], west: TestPlace['ledgers']) =>
  places.directory.write(describePlaces(places, { east, west }))

/** Funds the reserve. Returns how it ended. */
const fund = async (ledger: number) => (await places.fund(ledger))?.outcome ?? 'not answered'

const readHead = (ledger: number) => places.client(ledger).ask('head', { size: null })

/** Returns the sizes of the logs in a database, as `ledger:size`. */
async function listStoredLogs(server: CrashablePostgres): Promise<readonly string[]> {
  const rows = await queryServer<{ log: string }>(
    server,
    `select ledger_id || ':' || size as log from ledger.head where size > 0 order by ledger_id`,
  )
  return rows.map(({ log }) => log)
}

async function readHealth(): Promise<{ code: number; body: unknown }> {
  const answer = await fetch(`http://127.0.0.1:${places.service.port}/healthz`)
  return { code: answer.status, body: await answer.json() }
}

const WELL = { code: 200, body: { status: 'ok', unavailable: [] } }

test('each ledger is recorded in its place, and commands find it there', async () => {
  for (const ledger of [1, 2, 3, 2]) expect(await fund(ledger)).toBe('recorded')
  expect(await listStoredLogs(places.east)).toEqual(['1:1', '3:1'])
  expect(await listStoredLogs(places.west)).toEqual(['2:2'])
  expect(await readHealth()).toEqual(WELL)
  for (const ledger of ['1', '2', '3']) {
    const { code, out } = await places.runCli(['verify', '--ledger', ledger])
    expect(out).toContain(`${ledger === '2' ? 2 : 1} events`)
    expect(out).toContain('no difference found')
    expect(code).toBe(0)
  }
  const { out } = await places.runCli(['verify', '--ledger', '4'])
  expect(out).toBe('this installation has no ledger 4\n')
})

describe('while a place is down', () => {
  beforeAll(async () => {
    await places.east.crash()
    return () => places.east.start()
  })

  test('the ledgers of the others record and answer, and the health names the place', async () => {
    const { size } = await readHead(2)
    expect(await fund(2)).toBe('recorded')
    expect((await readHead(2)).size).toBe(size + 1n)
    await expect
      .poll(readHealth)
      .toEqual({ code: 200, body: { status: 'ok', unavailable: ['east'] } })
  })

  test('a service starts with the places that answer', async () => {
    await places.service.end('SIGTERM')
    await places.service.start()
    expect(await fund(2)).toBe('recorded')
    await expect(readHead(1)).rejects.toThrow('The database of ledger 1 does not answer')
    expect(await fund(1)).toBe('not answered')
  })

  test('sabotaged twin: ledgers that share the place that is down record nothing', async () => {
    await writeDirectory([1, 2, 3], [])
    await expect.poll(() => fund(2)).toBe('not answered')
    await writeDirectory([1, 3], [2])
    await expect.poll(() => fund(2)).toBe('recorded')
  })
})

test('the ledgers of a place that answers again are opened', async () => {
  expect(await listStoredLogs(places.east)).toEqual(['1:1', '3:1'])
  await expect.poll(() => fund(1)).toBe('recorded')
  expect((await readHead(1)).size).toBe(2n)
  await expect.poll(readHealth).toEqual(WELL)
})

describe('a directory that changes', () => {
  test('opens an added ledger, and ignores a file that is not valid', async () => {
    await places.directory.spoil()
    await expect.poll(() => places.service.readLog()).toContain('is not JSON')
    expect(await fund(1)).toBe('recorded')
    await writeDirectory([1, 3, 4], [2])
    await expect.poll(() => fund(4)).toBe('recorded')
    expect(await listStoredLogs(places.east)).toContain('4:1')
  })

  test('a ledger that is given to another place is recorded there from then on', async () => {
    await writeDirectory([1, 3, 4, 5], [2])
    await expect.poll(() => readHead(5).catch(() => null)).toMatchObject({ size: 0n })
    await writeDirectory([1, 3, 4], [2, 5])
    await expect.poll(() => listActive(places.west)).toContain(5)
    expect(await listLocked(places.east)).toEqual([1, 3, 4])
    expect(await fund(5)).toBe('recorded')
    expect(await listStoredLogs(places.west)).toContain('5:1')
    expect(await listStoredLogs(places.east)).not.toContain('5:1')
  })

  test('an instance that stops releases the ledgers of all places', async () => {
    await places.service.end('SIGTERM')
    expect([...(await listLocked(places.east)), ...(await listLocked(places.west))]).toEqual([])
    await places.service.start()
    for (const ledger of [1, 2, 3, 4, 5]) expect(await fund(ledger)).toBe('recorded')
  })
})

/** Lists the ledgers that an instance took in this place. */
async function listActive(server: CrashablePostgres): Promise<readonly number[]> {
  const text = 'select ledger_id as ledger from ledger.active_instance'
  return (await queryServer<{ ledger: number }>(server, text)).map(({ ledger }) => ledger)
}

/** Lists the ledgers whose lock an instance holds in this place. */
async function listLocked(server: CrashablePostgres): Promise<readonly number[]> {
  const rows = await queryServer<{ ledger: number }>(
    server,
    `select objid::int as ledger from pg_locks where locktype = 'advisory' and granted
       and classid = x'63616972'::int order by 1`,
  )
  return rows.map(({ ledger }) => ledger)
}
