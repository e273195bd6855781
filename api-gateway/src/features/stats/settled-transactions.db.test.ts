import type { Transaction } from '@cairn/gateway-contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())

const decide = (id: string, action: 'approve' | 'decline', body?: object) =>
  expectOk(scene.call(scene.admin, 'PATCH', `/transactions/${id}/action/${action}`, body))

test('pending requests do not displace the settled transactions, which have the newest first', async () => {
  const paid = await scene.deposit(scene.stranger, '20')
  await decide(paid, 'approve')
  const declined = await scene.deposit(scene.stranger, '30')
  await decide(declined, 'decline', { reason: 'The payment did not arrive' })
  for (let nth = 1; nth <= 5; nth += 1) await scene.deposit(scene.stranger, `${40 + nth}`)

  const { latest_transactions, settled_transactions } = await expectOk<
    Record<'latest_transactions' | 'settled_transactions', Transaction[]>
  >(scene.call(scene.admin, 'GET', '/stats/admin'))
  expect(latest_transactions.map(({ status }) => status)).toEqual(Array(5).fill('pending'))
  expect(settled_transactions.slice(0, 2)).toMatchObject([
    { id: declined, status: 'declined' },
    { id: paid, status: 'success' },
  ])
  const times = settled_transactions.map(({ createdAt }) => createdAt)
  expect(times).toEqual(times.toSorted().toReversed())
  expect(settled_transactions.map(({ status }) => status)).not.toContain('pending')
})
