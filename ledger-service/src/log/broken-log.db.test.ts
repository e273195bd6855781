import { type Answer, type Command, createId } from '@cairn/ledger-contracts'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { systemClock } from '@cairn/service-kit/clock'
import pg from 'pg'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { model } from '../domain/model.ts'
import { BrokenLog } from './deposed.ts'
import { createPostgresStore } from './postgres-store.ts'
import { createBatchStatement } from './statement.ts'
import { RefusedData, type Store, wrapSessions } from './store.ts'
import { logTables } from './tables.ts'
import { createWriter } from './writer.ts'

let database: TestDatabase
let superuser: pg.Client
beforeEach(async () => {
  database = await createTestDatabase()
  superuser = new pg.Client({ connectionString: database.url })
  await superuser.connect()
})
afterEach(async () => {
  await superuser.end()
  await database.drop()
})

/** After these events are recorded, the next event completes the first subtree that is stored. */
const FIRST = 255

/** For each table of the log, SQL that adds the next row beyond the head, as an intruder could. */
const PLANTED = {
  event: `insert into ledger.event
    select ledger_id, seq + ${FIRST}, type, schema_version, actor, recorded_at, effective_at, request_hash,
      null, null, bytes, leaf_hash from ledger.event where seq = 0`,
  posting: `insert into ledger.posting
    select ledger_id, account, seq + ${FIRST}, leg, amount_minor, balance_after_minor
    from ledger.posting where seq = 0`,
  subtree: `insert into ledger.subtree values (1, 8, 0, sha256('x'))`,
}

function createFunding(): Command {
  return {
    type: 'FundReserve',
    data: { transactionId: createId(Date.now()), amountMinor: 100n, note: null },
    actor: 'system:test',
    key: createId(Date.now()),
    requestId: null,
    effectiveAt: null,
  }
}

/** Records events, plants a row beyond them, and submits more commands. */
async function submitToBrokenLog(sql: string, wrapStore: (store: Store) => Store) {
  const ended = { count: 0 }
  const store = createPostgresStore({
    ledger: 1,
    databaseUrl: database.urlFor('cairn_ledger'),
    statement: createBatchStatement([...logTables, ...model.tables]),
    isClockChecked: true,
    modelVersion: 1,
  })
  const writer = createWriter({
    ledger: 1,
    store: wrapStore(store),
    model,
    clock: systemClock,
    log: pino({ level: 'silent' }),
    endProcess: () => {
      ended.count += 1
    },
  })
  const submit = async (count: number): Promise<readonly Answer[]> =>
    (await writer.submit(Array.from({ length: count }, createFunding), 'interactive')) ?? []
  const first = await submit(FIRST)
  expect(first.filter(({ outcome }) => outcome === 'recorded')).toHaveLength(FIRST)
  await superuser.query(sql)
  const answers = await submit(3)
  await writer.stop()
  const { rows } = await superuser.query<{ size: string }>('select size from ledger.head')
  return { answers, endedProcesses: ended.count, size: rows[0]?.size }
}

test.each(Object.entries(PLANTED))(
  'a row of the table %s beyond the head stops the writer, and no command is blamed',
  async (table, sql) => {
    const { answers, ...state } = await submitToBrokenLog(sql, (store) => store)
    expect(state).toEqual({ endedProcesses: 1, size: String(FIRST) })
    for (const answer of answers) {
      expect(answer).toMatchObject({ outcome: 'failed', code: 'UNAVAILABLE' })
      expect(answer).toHaveProperty('message', expect.stringContaining(`${table}_pkey`))
    }
    expect(answers).toHaveLength(3)
  },
)

test('sabotaged twin: a writer that routes by the class of the error blames the commands', async () => {
  const wrapStore = wrapSessions((session) => ({
    ...session,
    append: (move, rows) =>
      session.append(move, rows).catch((error) => {
        throw error instanceof BrokenLog ? new RefusedData('refused') : error
      }),
  }))
  const { answers, ...state } = await submitToBrokenLog(PLANTED.event, wrapStore)
  expect(answers).toMatchObject(Array(3).fill({ outcome: 'failed', code: 'POISON' }))
  expect(state).toEqual({ endedProcesses: 0, size: String(FIRST) })
})
