import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { fund } from '../../../testing/further-ledger.ts'
import { addUser, startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { renderMetrics } from '../../platform/metrics/metrics.ts'
import { createSettings } from '../../platform/settings-store/site-settings.ts'
import { createStatementMaker } from './make-statements.ts'

const CLOSING_MS = 120_000
const RETRY_AFTER_MS = 3_600_000
/** More people than the failures in a row after which a run ends. */
const PEOPLE = 7

let gateway: TestGateway
let worker: Database
let superuser: Database
let folder: string
let months: readonly string[]
/** The people in the order in which their statements are made. */
let people: readonly string[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-clock-'))
  const clockFile = join(folder, 'clock')
  const now = new Date()
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  // The clock of the ledger starts in the middle of the month, so that no month ends before its end
  // is tested.
  await writeFile(clockFile, String(Date.UTC(year, month, 15) - now.getTime()))
  gateway = await startTestGateway({ ledgerEnvironment: { CAIRN_CLOCK_FILE: clockFile } })
  const added: string[] = []
  for (let nth = 0; nth < PEOPLE; nth += 1) {
    const investorId = await addUser(gateway, { role: 'user', status: 'active' })
    await fund(gateway.ledger.unrecorded, { investorId, amountMinor: 5_000n })
    added.push(investorId)
  }
  people = added.toSorted()
  await writeFile(clockFile, String(Date.UTC(year, month + 2) + CLOSING_MS - now.getTime()))
  months = await gateway.ledger.closeMonths()
  const options = { applicationName: 'test', onError: () => {} }
  worker = openDatabase({ ...options, url: gateway.workerUrl })
  superuser = openDatabase({ ...options, url: gateway.databaseUrl })
})
beforeEach(async () => {
  await sql`truncate platform.paper`.execute(superuser)
  await sql`delete from platform.cursor where name like 'statements.%'`.execute(superuser)
  await storeForEverybody()
})
afterAll(async () => {
  await worker?.destroy()
  await superuser?.destroy()
  await gateway?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** The database refuses the documents of these people. */
async function storeForEverybodyBut(refused: readonly string[]): Promise<void> {
  const ids = sql.join(refused.map((id) => sql.lit(id)))
  await sql`alter table platform.paper
    add constraint refused_check check (investor_id not in (${ids}))`.execute(superuser)
}

async function storeForEverybody(): Promise<void> {
  await sql`alter table platform.paper drop constraint if exists refused_check`.execute(superuser)
}

/** Creates the job, with a clock that the test moves and the lines that it logs. */
function createJob() {
  const logged: { userId?: string; month?: string }[] = []
  const clock = { aheadMs: 0, now: () => Date.now() + clock.aheadMs }
  const run = createStatementMaker({
    db: worker,
    ledgers: gateway.deps.ledgers,
    clock,
    settings: createSettings(worker, { isDemo: false, publicUrl: 'https://cairn.test' }),
    boss: { insert: async () => null },
    log: pino({ level: 'error' }, { write: (line) => void logged.push(JSON.parse(line)) }),
  })
  return { run, clock, logged }
}

/** Lists the people who have a statement of the month. */
async function listStated(month: string): Promise<readonly string[]> {
  const rows = await worker
    .selectFrom('platform.paper')
    .select('investor_id')
    .where('subject', '=', month)
    .orderBy('investor_id')
    .execute()
  return rows.map(({ investor_id }) => investor_id)
}

async function listDoneMonths(): Promise<readonly string[]> {
  const rows = await worker
    .selectFrom('platform.cursor')
    .select('name')
    .where('name', 'like', 'statements.%')
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name.replace('statements.', ''))
}

async function readFailures(): Promise<number> {
  const [, value] = /^cairn_statement_failures_total (\d+)$/m.exec(await renderMetrics()) ?? []
  return Number(value)
}

test('a statement that cannot be made delays no other person and no other month', async () => {
  const [failing = '', ...others] = people
  const [first = '', second = ''] = months
  await storeForEverybodyBut([failing])
  const failures = await readFailures()
  const { run, clock, logged } = createJob()
  for (let nth = 0; nth < 6; nth += 1) await run()
  expect(await listStated(first)).toEqual(others)
  expect(await listStated(second)).toEqual(others)
  expect(await listDoneMonths()).toEqual([])
  // One attempt for each month, until the time of the next one.
  expect(logged.map(({ userId, month }) => [userId, month])).toEqual([
    [failing, first],
    [failing, second],
  ])
  expect((await readFailures()) - failures).toBe(2)

  await storeForEverybody()
  clock.aheadMs = RETRY_AFTER_MS
  for (let nth = 0; nth < 4; nth += 1) await run()
  expect(await listStated(first)).toEqual(people)
  expect(await listStated(second)).toEqual(people)
  expect(await listDoneMonths()).toEqual([first, second])
})

test('after several failures in a row, a run ends, and the next one continues after them', async () => {
  const last = people.at(-1) ?? ''
  const [first = ''] = months
  await storeForEverybodyBut(people.slice(0, -1))
  const { run, logged } = createJob()
  await expect(run()).rejects.toThrow()
  expect(logged.map(({ userId }) => userId)).toEqual(people.slice(0, 5))
  expect(await listStated(first)).toEqual([])
  await run()
  expect(await listStated(first)).toEqual([last])
})
