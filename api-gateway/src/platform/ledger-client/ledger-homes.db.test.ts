import { afterAll, beforeAll, expect, test } from 'vitest'
import { addUser, startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import { openDatabase } from '../database/database.ts'
import { chooseLedger, createLedgerHomes } from './ledger-homes.ts'
import { claimLedger } from './site-ledger.ts'

const MINUTE_MS = 60_000
/** Enough choices that a wrong one among two would appear. */
const CHOICES = 40

let gateway: TestGateway
let nowMs: number
beforeAll(async () => {
  gateway = await startTestGateway()
  nowMs = Date.now()
  await claimLedger(gateway.db, 1)
})
afterAll(() => gateway?.stop())

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

test('a new person gets an open ledger, and none that was just added', async () => {
  const laterMs = nowMs + 2 * MINUTE_MS
  expect(await chooseOften(laterMs)).toEqual([1])
  const added = { ledger_id: 2, name: 'West', is_open: true, added_at: new Date(laterMs) }
  await gateway.db.insertInto('platform.ledger').values(added).execute()
  // A process that has not read the list since would take such a person for one of the first.
  expect(await chooseOften(laterMs + MINUTE_MS / 2)).toEqual([1])
  expect(await chooseOften(laterMs + 2 * MINUTE_MS)).toEqual([1, 2])
  await setOpen(1, false)
  expect(await chooseOften(laterMs + 2 * MINUTE_MS)).toEqual([2])
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
