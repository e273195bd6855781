import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'
import { findInvestor } from '../../platform/ledger-client/investors.ts'

const THREE_DAYS_MS = 3 * 86_400_000

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())

test('the total profit of an investor contains no funding by an administrator', async () => {
  const { gateway, admin, investor } = scene
  const funding = { wallet_type: 'profit', amount: 7.5 }
  await expectOk(scene.call(admin, 'PATCH', `/users/${investor.userId}/wallets`, funding))
  await gateway.moveAllClocks(THREE_DAYS_MS)
  await expectOk(scene.call(investor, 'PATCH', '/investments/mine'))
  const { stats } = await expectOk<{ stats: { total_profit: number; wallet: { profit: number } } }>(
    scene.call(investor, 'GET', '/stats/users'),
  )
  // Three days of the plan of the scene: 1 % of $100.00 a day.
  expect(stats).toMatchObject({ total_profit: 3, wallet: { profit: 10.5 } })
  // The total in the row of the investor contains the funding.
  const row = await findInvestor(gateway.ledger, investor.userId)
  expect(row?.totals.profitMinor).toBe(10_50n)
})
