import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tamper } from '../../test/support/tamper.ts'
import {
  createFundedInvestor,
  startTestLedger,
  type TestLedger,
} from '../../test/support/test-ledger.ts'
import { createVerifications } from './verifications.ts'

const by = 'user:auditor'

let ledger: TestLedger
beforeAll(async () => {
  ledger = await startTestLedger()
})
afterAll(() => ledger.close())

/**
 * Creates verifications. Their statements that start with `word` wait until the test releases them.
 */
function createHeldVerifications(word: string) {
  const held = Promise.withResolvers<void>()
  const free = Promise.withResolvers<void>()
  const queryHeld = async (text: string, values: unknown[]) => {
    const isHeld = text.startsWith(word)
    // A reading statement runs first and then waits. A writing statement waits first and then runs.
    const answer = isHeld && word !== 'select' ? null : await ledger.pool.query(text, values)
    if (isHeld) {
      held.resolve()
      await free.promise
    }
    return answer ?? ledger.pool.query(text, values)
  }
  const { clock } = ledger
  const verifications = createVerifications({
    ledger: 1,
    clock,
    log: pino({ level: 'silent' }),
    databaseUrl: ledger.database.urlFor('cairn_ledger'),
    checkpointDir: ledger.signing.checkpointDir,
    // The cast is safe, because only this method of the pool is used.
    pool: { query: queryHeld } as unknown as pg.Pool,
  })
  return { verifications, letGo: free.resolve, isHeld: held.promise }
}

test('a run counts as running until its result is stored', async () => {
  const { verifications, isHeld, letGo } = createHeldVerifications('update')
  const { id } = await verifications.start({ by, since: 0n })
  await isHeld
  const readState = async () =>
    (await verifications.list()).runs.find((run) => run.id === id)?.state
  expect(await readState()).toBe('running')
  const next = verifications.start({ by, since: 0n })
  letGo()
  expect((await next).id).not.toBe(id)
  expect(await readState()).toBe('agrees')
  await verifications.stop()
})

test('a list that was read before a run ended does not show it as interrupted', async () => {
  const { verifications, isHeld, letGo } = createHeldVerifications('select')
  const { id } = await verifications.start({ by, since: 0n })
  const list = verifications.list()
  await isHeld
  const isRecorded = async () => {
    const text = 'select 1 from ledger.verification where id = $1 and finished_at is not null'
    return (await ledger.pool.query(text, [id])).rowCount === 1
  }
  await expect.poll(isRecorded).toBe(true)
  letGo()
  expect((await list).runs.find((run) => run.id === id)?.state).toBe('agrees')
  await verifications.stop()
})

test('a superuser who changes or removes a result does not change the answer', async () => {
  await createFundedInvestor(ledger, { amountMinor: 100n })
  await tamper(ledger, () =>
    ledger.runSql('update ledger.balance set balance_minor = balance_minor + 1'),
  )
  const { verifications } = createHeldVerifications('nothing')
  const { id } = await verifications.start({ by, since: 0n })
  const readRun = async () => (await verifications.list()).runs.find((run) => run.id === id)
  await expect.poll(async () => (await readRun())?.state).toBe('differs')
  const hide = `update ledger.verification set problems = '[]', first_bad_seq = null`
  await tamper(ledger, () => ledger.runSql(hide))
  expect(await readRun()).toMatchObject({ state: 'differs', requestedBy: by })
  // The sabotaged twin: another process knows only the stored result.
  const { verifications: twin } = createHeldVerifications('nothing')
  expect((await twin.list()).runs.find((run) => run.id === id)?.state).toBe('agrees')
  await tamper(ledger, () => ledger.runSql('delete from ledger.verification'))
  expect((await readRun())?.problems).not.toEqual([])
  await Promise.all([verifications.stop(), twin.stop()])
})
