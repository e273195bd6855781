import { afterEach, expect, test } from 'vitest'
import {
  addUser,
  send,
  startTestGateway,
  type TestGateway,
  visitAs,
} from '../../../testing/test-gateway.ts'
import { openDatabase } from '../database/database.ts'
import { claimLedger, listFurtherLedgers, requireSiteLedger } from './site-ledger.ts'

let gateway: TestGateway
afterEach(() => gateway.stop())

test('users belong to the ledger that their empty site has claimed, and cannot move to another', async () => {
  gateway = await startTestGateway({ ledgerEnvironment: { LEDGERS: '2' }, siteLedger: 2 })
  const { db } = gateway
  await claimLedger(db, 2)
  const visitor = await visitAs(gateway, 'investor')
  const people = await db.selectFrom('identity.user').select('ledger_id').execute()
  expect(people).toEqual([{ ledger_id: 2 }])

  const me = await send(gateway, visitor, { method: 'GET', path: '/users/me' })
  expect(me.status).toBe(200)
  const sizes = [1, 2].map((number) => gateway.otherLedger(number).ask('head', { size: null }))
  expect(await Promise.all(sizes)).toMatchObject([{ size: 0n }, { size: 1n }])

  // Both ledgers answer queries at the same time, over shared connections.
  await gateway.otherLedger(1).ask('plans', { includeArchived: false })
  const asked = { prefix: 'cash:', after: null, limit: 10 }
  expect(await gateway.otherLedger(2).ask('accounts', asked)).toMatchObject({ accounts: [] })

  await claimLedger(db, 2)
  await expect(claimLedger(db, 1)).rejects.toThrow('start the site with LEDGER=2, not 1')
})

test('a site with people of one ledger cannot become the site of another', async () => {
  gateway = await startTestGateway()
  await addUser(gateway, { role: 'user', status: 'pending' })
  await expect(claimLedger(gateway.db, 3)).rejects.toThrow('start the site with LEDGER=1, not 3')
})

test('a site can have users of each of its ledgers, and of no other ledger', async () => {
  gateway = await startTestGateway()
  const { db } = gateway
  await claimLedger(db, 1)
  expect(await listFurtherLedgers(db)).toEqual([])
  const userId = await addUser(gateway, { role: 'user', status: 'pending' })
  const moveTo = (ledger_id: number) =>
    db.updateTable('identity.user').set({ ledger_id }).where('id', '=', userId).execute()
  await moveTo(2)
  await expect(claimLedger(db, 1)).rejects.toThrow('belong to ledger 2')

  const further = { ledger_id: 2, name: 'West', is_open: false, added_at: new Date() }
  await db.insertInto('platform.ledger').values(further).execute()
  await claimLedger(db, 1)
  expect(await listFurtherLedgers(db)).toEqual([2])
})

test('the worker of the site refuses another ledger', async () => {
  gateway = await startTestGateway()
  await claimLedger(gateway.db, 1)
  const ofWorker = { url: gateway.workerUrl, applicationName: 'test', onError: () => {} }
  const db = openDatabase(ofWorker)
  await requireSiteLedger(db, 1)
  await expect(requireSiteLedger(db, 2)).rejects.toThrow('start the site with LEDGER=1, not 2')
  await db.destroy()
})
