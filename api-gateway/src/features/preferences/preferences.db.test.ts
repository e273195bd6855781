import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectOk } from '../../../testing/scene.ts'
import {
  addUser,
  openVisit,
  send,
  startTestGateway,
  type TestGateway,
} from '../../../testing/test-gateway.ts'

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.stop())

test('the layout of one list is saved without changing that of another', async () => {
  const visitor = await openVisit(
    gateway,
    await addUser(gateway, { role: 'admin', status: 'active' }),
  )
  const path = '/users/me/preferences'
  const put = (tables: object) => send(gateway, visitor, { method: 'PUT', path, body: { tables } })
  const users = { hidden: ['country'], isCompact: false, views: [] }
  const view = { name: 'Pending', search: 'status=pending' }
  const transactions = { hidden: [], isCompact: true, views: [view] }
  await expectOk(put({ users }))
  await expectOk(put({ transactions }))
  const { preferences } = await expectOk<{ preferences: { tables: object } }>(
    send(gateway, visitor, { method: 'GET', path }),
  )
  expect(preferences.tables).toEqual({ users, transactions })
  expect((await put({ plans: users })).status).toBe(400)
  expect((await put({ users: { ...users, views: Array(21).fill(view) } })).status).toBe(400)
})
