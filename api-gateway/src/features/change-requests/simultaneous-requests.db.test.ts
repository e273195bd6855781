import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { getRequestedChange } from '../../../testing/change-requests.ts'
import { makeApprovers, setThreshold } from '../../../testing/dual-control.ts'
import { countLockWaits, runDuring } from '../../../testing/run-during.ts'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'
import { type Reply, send } from '../../../testing/test-gateway.ts'
import type { DatabaseTransaction } from '../../platform/database/database.ts'
import { lockUser } from '../users/index.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
  const { gateway, admin, second } = scene
  await makeApprovers(gateway, [admin.userId, second.userId])
  await setThreshold(gateway, 10_000n)
})
afterEach(async () => {
  for (const { id } of await listRequests()) {
    await expectOk(scene.call(scene.admin, 'POST', `/admin/approvals/${id}/withdraw`))
  }
})
afterAll(() => scene?.gateway.stop())

/** Adds money to the reserve, which two administrators must approve. */
const propose = (amount: number) => {
  const headers = { 'idempotency-key': `reserve-${amount}` }
  const body = { amount, note: 'a note of enough length' }
  return send(scene.gateway, scene.admin, { method: 'POST', path: '/admin/reserve', body, headers })
}
/** Changes a mail text, which two administrators must approve. This call has no key. */
const proposeText = () =>
  scene.call(scene.admin, 'PUT', '/admin/templates/welcome', { subject: 'Hello', body: 'A text' })

const listRequests = () =>
  scene.gateway.db
    .selectFrom('platform.change_request')
    .select('id')
    .where('state', '=', 'pending')
    .execute()

/** Sends two proposals. Neither of them finds the other one before it stores its own. */
async function proposeTwice(first: () => Promise<Reply>, other = first): Promise<readonly Reply[]> {
  const { gateway, second } = scene
  // The mail to the checker waits for the lock, and with it the proposal that was stored first.
  const lockChecker = (trx: DatabaseTransaction) => lockUser(trx, second.userId)
  const finish = async () => {
    await expect.poll(() => countLockWaits(gateway)).toBe(2)
  }
  const sendBoth = () => Promise.all([first(), other()])
  return await runDuring(gateway, lockChecker, sendBoth, { finish })
}

test.each([
  ['with a key', () => propose(5_000)],
  ['without a key', proposeText],
])('two copies of a proposal %s at once are one request', async (_how, proposeOnce) => {
  const replies = await proposeTwice(proposeOnce)
  const stored = await listRequests()
  expect(stored).toHaveLength(1)
  const ids = replies.map((reply) => getRequestedChange(reply).id)
  expect(ids).toEqual([stored[0]?.id, stored[0]?.id])
})

test('of two different proposals about one object at once, one is refused', async () => {
  const replies = await proposeTwice(
    () => propose(6_000),
    () => propose(7_000),
  )
  const codes = replies.map(({ status, body }) => `${status} ${body.code}`)
  expect(codes.toSorted()).toEqual(['409 CHANGE_PENDING', '409 CHANGE_REQUESTED'])
  expect(await listRequests()).toHaveLength(1)
})
