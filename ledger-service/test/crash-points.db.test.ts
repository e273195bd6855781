import { type Answer, createId, toJson } from '@cairn/ledger-contracts'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CRASH_POINTS, type CrashPoint, createCrashingSession } from '../src/log/crash-points.ts'
import { type StoreSession, wrapSessions } from '../src/log/store.ts'
import { createScene, REPEATABLE_TYPES } from './support/scenes.ts'
import { startTestLedger, type TestLedger } from './support/test-ledger.ts'
import { NEVER } from './support/wrapped-store.ts'

/**
 * Simulates a process that crashes when it reaches `point`. The pending calls of the process never
 * resolve.
 */
function crashSessionAt(point: CrashPoint, died: () => void) {
  return (session: StoreSession): StoreSession =>
    createCrashingSession(session, {
      isAt: (reached) => reached === point,
      crashProcess: () => {
        // When a process crashes, its connections end after their current statements.
        void session.close().then(died)
        return NEVER
      },
    })
}

let database: TestDatabase
let ledger: TestLedger
beforeAll(async () => {
  database = await createTestDatabase()
  ledger = await startTestLedger({ database })
})
afterAll(async () => {
  await ledger.close()
  await database.drop()
})

describe.each(CRASH_POINTS)('a process that crashes %s', (point) => {
  test.each(REPEATABLE_TYPES)('has recorded %s once or not at all', async (type) => {
    const data = await createScene(ledger, type)
    const key = createId(Date.now())
    const submitCommand = (to: TestLedger) =>
      to.submit(type, data as never, { key, actor: 'system:crash' })
    await crashDuring(point, submitCommand)
    const answer = await submitCommand(ledger)
    expect(answer.outcome).toBe('recorded')
    expect(formatForComparison(await submitCommand(ledger))).toBe(formatForComparison(answer))
    const [events] = await ledger.runSql<{ count: string }>(
      `select count(*) from ledger.event where idempotency_hash =
         sha256(convert_to('system:crash', 'UTF8') || '\\x00'::bytea || convert_to($1, 'UTF8'))`,
      [key],
    )
    expect(events?.count).toBe('1')
  })
})

test('leaves correct books', async () => {
  expect((await ledger.ask('check', {})).problems).toEqual([])
})

test('sabotaged twin: a writer that looks up no keys fails on a repeated command', async () => {
  const data = await createScene(ledger, 'FundReserve')
  const key = createId(Date.now())
  const submitCommand = (to: TestLedger) => to.submit('FundReserve', data as never, { key })
  await crashDuring('after the commit, before the answer', submitCommand)
  const removeStoredAnswers = (session: StoreSession): StoreSession => ({
    ...session,
    loadSettled: async () => ({ events: [], refusals: [] }),
  })
  const weak = await startTestLedger({ database, wrapStore: wrapSessions(removeStoredAnswers) })
  expect((await submitCommand(weak)).outcome).not.toBe('recorded')
  await weak.close()
})

/**
 * Starts a ledger that crashes while it processes a command. Resolves when its connections have
 * ended.
 */
async function crashDuring(point: CrashPoint, ask: (dying: TestLedger) => unknown): Promise<void> {
  await new Promise<void>((died) => {
    const wrapStore = wrapSessions(crashSessionAt(point, died))
    void startTestLedger({ database, wrapStore }).then(ask)
  })
}

function formatForComparison(answer: Answer): string {
  return toJson({ ...answer, isReplay: false })
}
