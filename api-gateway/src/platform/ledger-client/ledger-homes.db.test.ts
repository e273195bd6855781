import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addUser, startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { chooseLedger, createLedgerHomes } from './ledger-homes.ts'
import { claimLedger } from './site-ledger.ts'

const MINUTE_MS = 60_000
/** Enough choices that a wrong one among two would appear. */
const CHOICES = 40

let gateway: TestGateway
let worker: Database
let nowMs: number
beforeAll(async () => {
  gateway = await startTestGateway()
  worker = openDatabase({ url: gateway.workerUrl, applicationName: 'test', onError: () => {} })
  nowMs = Date.now()
  await claimLedger(gateway.db, 1)
})
afterAll(async () => {
  await worker?.destroy()
  await gateway?.stop()
})

async function chooseOften(atMs: number, referrerId: string | null = null) {
  const chosen = new Set<number | null>()
  for (let count = 0; count < CHOICES; count += 1) {
    chosen.add(
      await gateway.db
        .transaction()
        .execute((trx) => chooseLedger(trx, { referrerId, nowMs: atMs })),
    )
  }
  return [...chosen].toSorted()
}

const setOpen = (ledger: number, is_open: boolean) =>
  gateway.db
    .updateTable('platform.ledger')
    .set({ is_open })
    .where('ledger_id', '=', ledger)
    .execute()

/** Records the time at which the copy of the rules was complete, as the worker does. */
const completeCopy = (ledger: number, atMs: number) =>
  worker
    .updateTable('platform.ledger')
    .set({ rules_copied_at: new Date(atMs) })
    .where('ledger_id', '=', ledger)
    .execute()

test('a new person gets an open ledger, and none that was just added', async () => {
  const laterMs = nowMs + 2 * MINUTE_MS
  expect(await chooseOften(laterMs)).toEqual([1])
  const added = { ledger_id: 2, name: 'West', is_open: true, added_at: new Date(laterMs) }
  await gateway.db.insertInto('platform.ledger').values(added).execute()
  await completeCopy(2, laterMs)
  // A process that has not read the list since would take such a person for one of the first.
  expect(await chooseOften(laterMs + MINUTE_MS / 2)).toEqual([1])
  expect(await chooseOften(laterMs + 2 * MINUTE_MS)).toEqual([1, 2])
  await setOpen(1, false)
  expect(await chooseOften(laterMs + 2 * MINUTE_MS)).toEqual([2])
})

test('a new person gets no ledger whose copy of the rules is not complete', async () => {
  const atMs = nowMs + 60 * MINUTE_MS
  await setOpen(1, true)
  // Sabotaged twin: the ledger is open, so without the copy's time, people would be given to it.
  const open = await gateway.db
    .selectFrom('platform.ledger')
    .select('ledger_id')
    .where('is_open', '=', true)
    .where('added_at', '<', new Date(atMs - MINUTE_MS))
    .orderBy('ledger_id')
    .execute()
  expect(open).toEqual([{ ledger_id: 1 }, { ledger_id: 2 }])
  expect(await chooseOften(atMs)).toEqual([1])
  await completeCopy(2, atMs - 6 * MINUTE_MS)
  expect(await chooseOften(atMs)).toEqual([1])
  await completeCopy(2, atMs - 4 * MINUTE_MS)
  expect(await chooseOften(atMs)).toEqual([1, 2])
})

test('only the worker says how far a ledger is copied', async () => {
  const claimed = { rules_copied_at: new Date(nowMs), rules_through: 9n }
  const writing = gateway.db
    .updateTable('platform.ledger')
    .set(claimed)
    .where('ledger_id', '=', 2)
    .execute()
  await expect(writing).rejects.toThrow('permission denied')
  const added = { ledger_id: 9, name: 'Nine', is_open: true, added_at: new Date(nowMs) }
  const inserting = gateway.db
    .insertInto('platform.ledger')
    .values({ ...added, ...claimed })
    .execute()
  await expect(inserting).rejects.toThrow('permission denied')
  const opening = sql`update platform.ledger set is_open = true`.execute(worker)
  await expect(opening).rejects.toThrow('permission denied')
})

test('a referred person gets the ledger of the referrer, also if it is closed', async () => {
  const referrer = await addUser(gateway, { role: 'user', status: 'pending' })
  await setOpen(1, false)
  expect(await chooseOften(nowMs + 5 * MINUTE_MS, referrer)).toEqual([1])
})

test('a process reads the list of ledgers again after ten seconds, and the worker may', async () => {
  const db = openDatabase({ url: gateway.workerUrl, applicationName: 'test', onError: () => {} })
  let atMs = nowMs
  const homes = createLedgerHomes(db, { now: () => atMs })
  const userId = await addUser(gateway, { role: 'user', status: 'pending' })
  await gateway.db
    .updateTable('identity.user')
    .set({ ledger_id: 3 })
    .where('id', '=', userId)
    .execute()
  expect(await homes.listFurther()).toEqual([2])
  expect(await homes.findFurther([userId])).toEqual(new Map())
  const added = { ledger_id: 3, name: 'North', is_open: false, added_at: new Date() }
  await gateway.db.insertInto('platform.ledger').values(added).execute()
  expect(await homes.listFurther()).toEqual([2])
  atMs += 10_000
  expect(await homes.listFurther()).toEqual([2, 3])
  expect(await homes.findFurther([userId])).toEqual(new Map([[userId, 3]]))
  await db.destroy()
})
