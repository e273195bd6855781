import type { AdminRole } from '@cairn/gateway-contracts'
import { createId } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { record } from '../../../testing/further-ledger.ts'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'
import { addUser, openVisit, type Visitor } from '../../../testing/test-gateway.ts'
import { followOnce } from '../../platform/jobs/follower.ts'
import { createNotificationFollower } from './follower.ts'

const DAY_MS = 86_400_000

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())

async function openVisitWithRole(role: AdminRole): Promise<Visitor> {
  const { gateway } = scene
  return openVisit(
    gateway,
    await addUser(gateway, { role: 'admin', status: 'active', roles: [role] }),
  )
}

async function listTitles(visitor: Visitor): Promise<readonly string[]> {
  const { notifications } = await expectOk<{ notifications: readonly { title: string }[] }>(
    scene.call(visitor, 'GET', '/users/me/notifications'),
  )
  return notifications.map(({ title }) => title)
}

async function follow(): Promise<void> {
  const { db, ledger, deps } = scene.gateway
  const { clock, settings } = deps
  const follower = createNotificationFollower({ clock, settings })
  await followOnce({ db, ledger, clock }, follower, new AbortController().signal)
}

test('a request is announced to the administrators who may decide it', async () => {
  const [finance, support] = [
    await openVisitWithRole('finance'),
    await openVisitWithRole('support'),
  ]
  await scene.deposit(scene.investor, '61.00')
  await follow()
  expect(await listTitles(finance)).toContain('A deposit of $61 is waiting')
  expect(await listTitles(support)).toEqual([])
})

test('a change of roles is announced to every administrator with a role', async () => {
  const [support, other] = [await openVisitWithRole('support'), await openVisitWithRole('finance')]
  const body = { roles: [{ role: 'auditor' }] }
  await expectOk(scene.call(scene.admin, 'PUT', `/users/${other.userId}/roles`, body))
  expect(await listTitles(support)).toEqual([`The roles of Person ${other.userId} were changed`])
})

/** Returns the number of unread notifications, and the titles of the unread ones about requests. */
async function listUnread(visitor: Visitor): Promise<{ unread: number; reviews: string[] }> {
  type Listed = { kind: string; title: string; readAt: string | null }
  const { body } = await scene.call(visitor, 'GET', '/users/me/notifications')
  const { notifications, meta } = body.data as unknown as {
    notifications: readonly Listed[]
    meta: { unread: number }
  }
  const reviews = notifications.filter(({ kind, readAt }) => kind === 'review' && readAt === null)
  return { unread: meta.unread, reviews: reviews.map(({ title }) => title) }
}

test('a decision marks the notifications of all administrators about its request as read', async () => {
  const { admin, second, investor, call } = scene
  const approved = await scene.deposit(investor, '71.00')
  const declined = await scene.deposit(investor, '72.00')
  const cancelled = await scene.deposit(investor, '73.00')
  await scene.deposit(investor, '74.00')
  await follow()
  const before = await Promise.all([admin, second].map(listUnread))
  for (const { reviews } of before) {
    for (const amount of [71, 72, 73, 74]) {
      expect(reviews).toContain(`A deposit of $${amount} is waiting`)
    }
  }

  await expectOk(call(admin, 'PATCH', `/transactions/${approved}/action/approve`))
  const reason = { reason: 'The transfer did not arrive' }
  await expectOk(call(second, 'PATCH', `/transactions/${declined}/action/decline`, reason))
  await expectOk(call(investor, 'POST', `/users/me/transactions/${cancelled}/cancel`))
  await follow()
  const after = await Promise.all([admin, second].map(listUnread))
  for (const [nth, { unread, reviews }] of after.entries()) {
    expect(reviews).toContain('A deposit of $74 is waiting')
    for (const amount of [71, 72, 73]) {
      expect(reviews).not.toContain(`A deposit of $${amount} is waiting`)
    }
    expect(unread).toBe((before[nth]?.unread ?? 0) - 3)
  }
})

test('an investment that ended during an outage is announced to its investor', async () => {
  const { gateway, investor, investmentId } = scene
  // The investment ends ten days after its start, on the day before its end is recorded.
  await gateway.moveAllClocks(11 * DAY_MS)
  await expectOk(scene.call(investor, 'PATCH', '/investments/mine'))
  const { investment } = await gateway.ledger.ask('investment', { investmentId })
  expect(investment?.status).toBe('completed')
  await follow()
  expect(await listTitles(investor)).toContain('An investment has ended with $10 profit')
})

test('a request and its decision in one batch of the feed leave no unread notification', async () => {
  const id = await scene.deposit(scene.investor, '81.00')
  await expectOk(scene.call(scene.admin, 'PATCH', `/transactions/${id}/action/approve`))
  await follow()
  expect(await listTitles(scene.second)).toContain('A deposit of $81 is waiting')
  expect((await listUnread(scene.second)).reviews).not.toContain('A deposit of $81 is waiting')
})

test('a page of events that causes more rows than one statement can insert is handled', async () => {
  const { gateway } = scene
  const [administrators, investors, deposits] = [20, 10, 40]
  for (let nth = 0; nth < administrators; nth += 1) await openVisitWithRole('finance')
  const investorIds: string[] = []
  for (let nth = 0; nth < investors; nth += 1) {
    investorIds.push(await addUser(gateway, { role: 'user', status: 'active' }))
  }
  await follow()
  const before = await countRows()
  const request = { amountMinor: 1_000n, method: 'Bank Transfer', paymentOptionId: null }
  const receipt = { receiptId: 'r', receiptSha256: 'a'.repeat(64) }
  for (const investorId of investorIds) {
    const ids = Array.from({ length: deposits }, () => createId(Date.now()))
    await Promise.all(
      ids.map((transactionId) =>
        record(gateway.ledger.unrecorded, 'RequestDeposit', {
          ...request,
          ...receipt,
          transactionId,
          investorId,
        }),
      ),
    )
  }
  // The events are one page of the feed.
  await follow()
  // A statement has at most 65,535 parameters, and a row has 9.
  expect((await countRows()) - before).toBeGreaterThan(65_535 / 9)
})

async function countRows(): Promise<number> {
  const { count } = await scene.gateway.db
    .selectFrom('platform.notification')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
