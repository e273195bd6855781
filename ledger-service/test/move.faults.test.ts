import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createId } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeMovedLedger } from '../src/service/directory/write-directory.ts'
import { NOT_COPIED } from '../src/service/move/copy-ledger.ts'
import { MOVE_STEPS, type MoveOptions, moveLedger } from '../src/service/move/move-ledger.ts'
import type { CrashablePostgres } from './support/crashable-postgres.ts'
import { recordFigure } from './support/figure.ts'
import { createRemoteLedger } from './support/remote-ledger.ts'
import { compareFundings, type ReadFundings, startFundingLoad } from './support/reserve-load.ts'
import { TEST_TOKEN } from './support/service-process.ts'
import { createFundedInvestor } from './support/test-ledger.ts'
import { queryServer, startTwoPlaces, type TwoPlaces } from './support/two-places.ts'

type PlaceName = 'east' | 'west'

const TAIL_EVENTS = 10_000
const COMMANDS_AT_ONCE = 100

let places: TwoPlaces
let folder: string
let crashFile: string
/** The place of ledger 1. Each move changes it. */
let at: PlaceName = 'east'
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-move-test-'))
  crashFile = join(folder, 'step')
  await writeFile(crashFile, '')
  places = await startTwoPlaces({ east: [1, 3], west: [2] })
  for (const ledger of [1, 3]) await addRows(ledger)
})
afterAll(async () => {
  await places.drop()
  await rm(folder, { recursive: true })
})

/** Adds events with postings, and a stored refusal. */
async function addRows(ledger: number): Promise<void> {
  const remote = createRemoteLedger(places.client(ledger))
  for (let count = 0; count < 5; count += 1) {
    await createFundedInvestor(remote, { amountMinor: 5_000n })
  }
  const investorId = await createFundedInvestor(remote, { amountMinor: 0n })
  const again = remote.submit(
    'ActivateInvestor',
    { investorId, referrerId: null },
    { key: investorId },
  )
  expect((await again).outcome).toBe('refused')
}

const getOther = (name: PlaceName): PlaceName => (name === 'east' ? 'west' : 'east')

function runMove(to: string, ledger = 1) {
  return places.runCli(['move', '--ledger', String(ledger), '--to', to], {
    NODE_ENV: 'test',
    SERVICE_TOKEN: TEST_TOKEN,
    LEDGER_PORT: '1',
    LEDGER_CHECKPOINT_DIR: folder,
    CAIRN_CRASH_FILE: crashFile,
  })
}

async function moveUntil(step: string, to: PlaceName): Promise<void> {
  await writeFile(crashFile, step)
  expect((await runMove(to)).signal).toBe('SIGKILL')
  await writeFile(crashFile, '')
}

const startLoad = (ledger: number) => startFundingLoad((id) => places.fund(ledger, id))

/** Counts the acknowledged commands whose event the place does not have. */
async function countLost(
  acknowledged: ReadonlyMap<string, bigint>,
  { ledger, place }: { ledger: number; place: PlaceName },
): Promise<number> {
  const read: ReadFundings = (text, values) => queryServer(places[place], text, values)
  return (await compareFundings(read, { ledger, acknowledged })).lost
}

async function expectVerified(ledger: number): Promise<void> {
  const { out, code } = await places.runCli(['verify', '--ledger', String(ledger)])
  expect(out).toContain('no difference found')
  expect(code).toBe(0)
}

describe('a move that is killed', () => {
  test.each(MOVE_STEPS)('after the step "%s" goes on: nothing is lost', async (step) => {
    const to = getOther(at)
    const load = startLoad(1)
    await load.waitForMore()
    await moveUntil(step, to)
    expect(await runMove(to)).toMatchObject({ code: 0, out: expect.stringContaining(`in ${to}`) })
    at = to
    await load.waitForMore()
    const acknowledged = await load.stop()
    expect(await countLost(acknowledged, { ledger: 1, place: at })).toBe(0)
    await expectVerified(1)
  })

  test('after the seal can be undone: the ledger records where it was', async () => {
    await moveUntil('tail copied', getOther(at))
    expect((await places.fund(1))?.outcome).not.toBe('recorded')
    expect(await runMove(at)).toMatchObject({ code: 0, out: expect.stringContaining('undone') })
    await expect.poll(async () => (await places.fund(1))?.outcome).toBe('recorded')
    await expectVerified(1)
  })

  test('after the decision cannot be undone, only finished', async () => {
    await moveUntil('decided', getOther(at))
    expect(await runMove(at)).toMatchObject({
      code: 2,
      out: expect.stringContaining('has left this place'),
    })
    expect((await runMove(getOther(at))).code).toBe(0)
    at = getOther(at)
    await expect.poll(async () => (await places.fund(1))?.outcome).toBe('recorded')
  })
})

/** Returns the rows of a ledger by table, without what differs from place to place. */
async function readRows(
  server: CrashablePostgres,
  ledger: number,
): Promise<Readonly<Record<string, readonly object[]>>> {
  const tables = await queryServer<{ name: string }>(
    server,
    `select relname as name from pg_class
     where relnamespace = 'ledger'::regnamespace and relkind = 'r' order by relname`,
  )
  const copied = tables.filter(({ name }) => !NOT_COPIED.some((other) => other === name))
  const found = copied.map(async ({ name }) => {
    const columns = name === 'head' ? 'size, root, frontier, refusal_hash' : '*'
    const rows = await queryServer<{ row: object }>(
      server,
      `select row_to_json(found) as row from (
         select ${columns} from ledger.${name} where ledger_id = $1) as found
       order by found::text collate "C"`,
      [ledger],
    )
    return [name, rows.map(({ row }) => row)] as const
  })
  return Object.fromEntries(await Promise.all(found))
}

test('a moved ledger has the same rows in all tables', async () => {
  const before = await readRows(places[at], 1)
  expect(before.event?.length).toBeGreaterThan(10)
  expect(before.refusal?.length).toBe(1)
  expect((await runMove(getOther(at))).code).toBe(0)
  at = getOther(at)
  const after = await readRows(places[at], 1)
  expect(Object.keys(after)).toEqual(Object.keys(before))
  // The service can sign a checkpoint in the former place after the last copy.
  expect({ ...after, checkpoint: [] }).toEqual({ ...before, checkpoint: [] })
})

test('a move to an unknown place, or of an unknown ledger, is refused', async () => {
  expect((await runMove('north')).out).toContain('LEDGER_DIRECTORY has no place north')
  expect((await runMove('west', 9)).out).toContain('this installation has no ledger 9')
  expect((await runMove('east', 2)).out).toContain('ledger 2 has no events')
})

const getPlace = (name: PlaceName) => ({
  name,
  databaseUrl: places[name].database.urlFor('cairn_ledger'),
  readUrl: null,
  ledgers: [],
})

/** Moves ledger 3 in this process. */
function moveThird(to: PlaceName, options: Pick<MoveOptions, 'onStep' | 'sealSource'> = {}) {
  return moveLedger({
    ledger: 3,
    source: getPlace(getOther(to)),
    target: getPlace(to),
    durability: 'local',
    switchDirectory: () => writeMovedLedger(places.directory.file, { ledger: 3, to }),
    ...options,
  })
}

test(`callers wait for a short time while ${TAIL_EVENTS} events are copied`, async ({ task }) => {
  const load = startLoad(3)
  await load.waitForMore()
  const { sealedMs } = await moveThird('west', {
    onStep: async (step) => {
      if (step === 'first copy verified') await addTail()
    },
  })
  await load.waitForMore()
  const acknowledged = await load.stop()
  expect(await countLost(acknowledged, { ledger: 3, place: 'west' })).toBe(0)
  await expectVerified(3)
  recordFigure(
    task,
    `${TAIL_EVENTS} events after the seal: sealed for ${Math.round(sealedMs)} ms, ` +
      `callers waited ${Math.round(load.getLongestMs())} ms`,
  )
})

async function addTail(): Promise<void> {
  const client = places.client(3)
  const createCommand = () => ({
    type: 'ActivateInvestor' as const,
    data: { investorId: createId(Date.now()), referrerId: null },
    actor: 'system:test' as const,
    key: null,
    requestId: null,
    effectiveAt: null,
  })
  for (let count = 0; count < TAIL_EVENTS; count += COMMANDS_AT_ONCE) {
    await client.submitMany(Array.from({ length: COMMANDS_AT_ONCE }, createCommand))
  }
}

/** Moves ledger 3, and funds it when the target has it but the service does not know this yet. */
async function fundAfterDecision(to: PlaceName, options: Pick<MoveOptions, 'sealSource'>) {
  const acknowledged = new Map<string, bigint>()
  await moveThird(to, {
    ...options,
    onStep: async (step) => {
      if (step !== 'decided') return
      const id = createId(Date.now())
      const answer = await places.fund(3, id)
      if (answer?.outcome === 'recorded') acknowledged.set(id, answer.event.seq)
    },
  })
  const lost = await countLost(acknowledged, { ledger: 3, place: to })
  return { acknowledged: acknowledged.size, lost }
}

test('a command that reaches the former place is not recorded there', async () => {
  expect(await fundAfterDecision('east', {})).toEqual({ acknowledged: 0, lost: 0 })
  await expect.poll(async () => (await places.fund(3))?.outcome).toBe('recorded')
})

test('sabotaged twin: without the seal, the former place loses what it answered', async () => {
  const sealSource = async () => true
  expect(await fundAfterDecision('west', { sealSource })).toEqual({ acknowledged: 1, lost: 1 })
})
