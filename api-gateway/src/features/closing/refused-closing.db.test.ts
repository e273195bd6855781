import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'
import { PASSWORD, type Visitor, visitAs } from '../../../testing/test-gateway.ts'
import { getObjectName } from '../../platform/files/blob-store.ts'
import type { ObjectStore } from '../../platform/files/object-store.ts'

const stored = new Map<string, Buffer>()
let isStoreAway = false
/** An object store in memory. */
const objects: ObjectStore = {
  put: async (name, bytes) => void stored.set(name, bytes),
  get: async (name) => stored.get(name) ?? null,
  remove: async (name) => {
    if (isStoreAway) throw new Error('the store does not answer')
    stored.delete(name)
  },
}

let scene: Scene
let person: Visitor
let depositId: string
beforeAll(async () => {
  scene = await startScene({}, { objects })
})
beforeEach(async () => {
  const visitor = await visitAs(scene.gateway, 'investor')
  if (visitor === null) throw new Error('an investor has a session')
  person = visitor
  depositId = await scene.deposit(person, '40.00')
  const photo = { method: 'PUT', path: '/users/me/photo', field: 'photo' }
  await expectOk(scene.upload(person, photo))
})
afterAll(() => scene?.gateway.stop())

const closeOwn = () => scene.call(person, 'POST', '/users/me/close', { password: PASSWORD })
const cancelDeposit = () =>
  expectOk(scene.call(person, 'POST', `/users/me/transactions/${depositId}/cancel`))

/** Returns the status of each call that reads a file of the person. */
async function readFiles(): Promise<readonly number[]> {
  const paths = [`/transactions/${depositId}/receipt`, `/users/${person.userId}/photo`]
  const replies = await Promise.all(paths.map((path) => scene.call(scene.admin, 'GET', path)))
  return replies.map(({ status }) => status)
}

const listFiles = () =>
  scene.gateway.db
    .selectFrom('platform.file')
    .select('id')
    .where('owner_id', '=', person.userId)
    .execute()

async function countObjects(): Promise<number> {
  const ids = new Set((await listFiles()).map(({ id }) => getObjectName(id)))
  return [...stored.keys()].filter((name) => ids.has(name)).length
}

const REFUSED = { status: 409, body: { code: 'INVESTOR_NOT_EMPTY' } }

test.each([
  ['a person', closeOwn],
  ['an administrator', () => scene.call(scene.admin, 'DELETE', `/users/${person.userId}`)],
])('a closing by %s that the ledger refuses keeps every file', async (_who, close) => {
  expect(await close()).toMatchObject(REFUSED)
  expect(await readFiles()).toEqual([200, 200])
  await cancelDeposit()
  expect((await close()).status).toBe(204)
  expect(await listFiles()).toEqual([])
})

test('sabotaged twin: files that are removed before the command are lost, until they are uploaded again', async () => {
  const files = await listFiles()
  scene.gateway.ledger.answerWith = ({ type }) => {
    if (type !== 'CloseInvestor') return null
    for (const { id } of files) stored.delete(getObjectName(id))
    return null
  }
  expect(await closeOwn()).toMatchObject(REFUSED)
  scene.gateway.ledger.answerWith = () => null
  expect(await readFiles()).toEqual([500, 500])
  await scene.deposit(person, '41.00')
  expect(await readFiles()).toEqual([200, 500])
})

test('a closing that the object store interrupts is repeated', async () => {
  await cancelDeposit()
  const names = (await listFiles()).map(({ id }) => getObjectName(id))
  isStoreAway = true
  expect((await closeOwn()).status).toBe(500)
  isStoreAway = false
  expect(await countObjects()).toBe(2)
  const { investors } = await scene.gateway.ledger.ask('investors', {
    investorIds: [person.userId],
  })
  expect(investors.map(({ standing }) => standing)).toEqual(['closed'])
  expect((await closeOwn()).status).toBe(204)
  expect(names.filter((name) => stored.has(name))).toEqual([])
})
