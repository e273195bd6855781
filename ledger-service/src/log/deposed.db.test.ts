import { type Answer, type Command, createId } from '@cairn/ledger-contracts'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { systemClock } from '@cairn/service-kit/clock'
import pg from 'pg'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createVersionedModel } from '../../test/support/versioned-model.ts'
import { model } from '../domain/model.ts'
import { createPostgresStore } from './postgres-store.ts'
import { QUEUED_MAX } from './queue.ts'
import { createBatchStatement } from './statement.ts'
import { type Store, wrapSessions } from './store.ts'
import { logTables } from './tables.ts'
import { createWriter, type Writer, type WriterOptions } from './writer.ts'

let database: TestDatabase
let superuser: pg.Client
let writers: Writer[]
beforeEach(async () => {
  database = await createTestDatabase()
  superuser = new pg.Client({ connectionString: database.url })
  await superuser.connect()
  writers = []
})
afterEach(async () => {
  await Promise.all(writers.map((writer) => writer.stop()))
  await superuser.end()
  await database.drop()
})

type Parts = Partial<WriterOptions> & { version?: number; wrapStore?: (store: Store) => Store }

function openWriter({ version = 1, wrapStore = (store) => store, ...role }: Parts = {}): Writer {
  const store = createPostgresStore({
    ledger: 1,
    databaseUrl: database.urlFor('cairn_ledger'),
    statement: createBatchStatement([...logTables, ...model.tables]),
    isClockChecked: true,
    modelVersion: version,
  })
  const writer = createWriter({
    ledger: 1,
    store: wrapStore(store),
    model: createVersionedModel(version),
    clock: systemClock,
    log: pino({ level: 'silent' }),
    ...role,
  })
  writers.push(writer)
  return writer
}

function createFunding(): Command {
  return {
    type: 'FundReserve',
    data: { transactionId: createId(Date.now()), amountMinor: 100n, note: null },
    actor: 'system:test',
    key: null,
    requestId: null,
    effectiveAt: null,
  }
}

async function activate(writer: Writer): Promise<Answer | undefined> {
  const { type, data } = { type: 'ActivateModel', data: { version: 2 } } as const
  return (await writer.submit([{ ...createFunding(), type, data }], 'interactive'))?.[0]
}

async function fund(writer: Writer): Promise<Answer | undefined> {
  return (await writer.submit([createFunding()], 'interactive'))?.[0]
}

async function readHead() {
  const { rows } = await superuser.query<{ token: string; model: number; size: string }>(
    'select fencing_token as token, model, size from ledger.head',
  )
  return rows[0]
}

/** Submits commands to a writer after another writer was elected and has taken over the log. */
async function submitAfterElection(mayTakeHead: (isElected: boolean) => boolean) {
  const role = { isElected: true }
  const former = openWriter({
    mayTakeHead: async () => mayTakeHead(role.isElected),
    forward: async (commands, { lane }) => (await openElectedWriter.submit(commands, lane)) ?? [],
  })
  expect(await fund(former)).toMatchObject({ outcome: 'recorded' })
  const openElectedWriter = openWriter()
  expect(await fund(openElectedWriter)).toMatchObject({ outcome: 'recorded' })
  role.isElected = false
  const before = await readHead()
  expect(await fund(former)).toMatchObject({ outcome: 'recorded' })
  return { hasTakenBack: (await readHead())?.token !== before?.token }
}

test('a deposed writer gives its commands to the elected one', async () => {
  expect(await submitAfterElection((isElected) => isElected)).toEqual({ hasTakenBack: false })
})

test('a deposed writer gives linked commands to the elected one as a whole', async () => {
  const role = { isElected: true }
  const forwarded: boolean[] = []
  const former = openWriter({
    mayTakeHead: async () => role.isElected,
    forward: async (commands, { lane, isLinked }) => {
      forwarded.push(isLinked)
      const submit = isLinked ? elected.submitLinked : elected.submit
      return (await submit(commands, lane)) ?? []
    },
  })
  expect(await fund(former)).toMatchObject({ outcome: 'recorded' })
  const elected = openWriter()
  expect(await fund(elected)).toMatchObject({ outcome: 'recorded' })
  role.isElected = false
  const group = [createFunding(), createFunding()]
  const [one, linked, other] = await Promise.all([
    fund(former),
    former.submitLinked(group, 'interactive'),
    fund(former),
  ])
  const places = linked?.map((answer) => answer.outcome === 'recorded' && answer.event.linked)
  expect([one?.outcome, other?.outcome, places]).toEqual([
    'recorded',
    'recorded',
    [
      { index: 0, length: 2 },
      { index: 1, length: 2 },
    ],
  ])
  expect(forwarded).toEqual([false, true, false])
})

test('a repetition that the full queue refused does not end the process when its command is lost', async () => {
  const role = { isElected: true }
  const former = openWriter({
    mayTakeHead: async () => role.isElected,
    forward: () => Promise.reject(new Error('the elected writer did not answer')),
  })
  expect(await fund(former)).toMatchObject({ outcome: 'recorded' })
  expect(await fund(openWriter())).toMatchObject({ outcome: 'recorded' })
  role.isElected = false
  const first = { ...createFunding(), key: 'a key' }
  const others = Array.from({ length: QUEUED_MAX - 1 }, createFunding)
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  const accepted = [[first], others].map((commands) => former.submit(commands, 'interactive'))
  expect(former.submit([first, createFunding()], 'interactive')).toBeNull()
  const outcomes = await Promise.allSettled(accepted)
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await new Promise((go) => setImmediate(go))
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
})

test('sabotaged twin: a writer that does not ask whether it is elected takes the head back', async () => {
  expect(await submitAfterElection(() => true)).toEqual({ hasTakenBack: true })
})

/**
 * Makes a writer lose the answer to its commit. Another writer takes over the log before the lost
 * answer would arrive. Returns the outcome that the first writer gives to the commit.
 */
async function loseAnswerOfDeposed(findLeaf: (leaf: Buffer | null) => Buffer | null) {
  const role = { isElected: true }
  const loseAnswer = wrapSessions((session) => ({
    ...session,
    findLeaf: async (seq) => findLeaf(await session.findLeaf(seq)),
    append: async (move, rows) => {
      await session.append(move, rows)
      role.isElected = false
      throw new Error('the connection is lost')
    },
  }))
  const elected = () => openWriter()
  const former = openWriter({
    wrapStore: loseAnswer,
    mayTakeHead: async () => role.isElected,
    forward: async (commands, { lane }) => (await elected().submit(commands, lane)) ?? [],
  })
  const answer = await fund(former)
  expect(await readHead()).toMatchObject({ size: '1' })
  return answer?.outcome
}

test('a deposed writer finds out what it wrote before it forwards the remaining commands', async () => {
  expect(await loseAnswerOfDeposed((leaf) => leaf)).toBe('recorded')
})

test('sabotaged twin: a deposed writer that does not check answers that it recorded nothing', async () => {
  expect(await loseAnswerOfDeposed(() => null)).toBe('refused')
})

test('a writer takes no head in which newer rules are in force, and stops', async () => {
  const newer = openWriter({ version: 2 })
  expect(await fund(newer)).toMatchObject({ outcome: 'recorded' })
  // A program with newer rules changes nothing until these rules are activated.
  expect(await readHead()).toMatchObject({ model: 1 })
  expect(await fund(openWriter({ version: 1 }))).toMatchObject({ outcome: 'recorded' })
  expect(await activate(openWriter({ version: 1 }))).toMatchObject({ code: 'MALFORMED' })
  expect(await activate(newer)).toMatchObject({ outcome: 'recorded' })
  expect(await activate(newer)).toMatchObject({ outcome: 'refused', code: 'MODEL_CONFLICT' })
  expect(await readHead()).toMatchObject({ model: 2 })
  let ended = 0
  const endProcess = () => {
    ended += 1
  }
  const before = await readHead()
  const older = openWriter({ version: 1, endProcess })
  expect(await fund(older)).toMatchObject({
    outcome: 'failed',
    code: 'UNAVAILABLE',
    message: expect.stringContaining('version 2 of the rules is in force in ledger 1'),
  })
  await older.stop()
  expect(ended).toBe(1)
  expect(await readHead()).toEqual(before)
  expect(await fund(newer)).toMatchObject({ outcome: 'recorded' })
  // Sabotaged twin: a writer that falsely claims to know the newer version can take over the log.
  expect(await fund(openWriter({ version: 2, endProcess }))).toMatchObject({ outcome: 'recorded' })
  expect((await readHead())?.token).not.toBe(before?.token)
})
