import type { BalancePoint } from '@cairn/gateway-contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'
import { followOnce } from '../../platform/jobs/follower.ts'
import { createCreditFollower } from './credits.ts'
import { createChartFollower } from './follower.ts'

const THREE_DAYS_MS = 3 * 86_400_000

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())

async function readNewestPoint(): Promise<BalancePoint> {
  const { db, ledger, deps } = scene.gateway
  const followed = { db, ledger, clock: deps.clock, settings: deps.settings }
  const { signal } = new AbortController()
  await followOnce(followed, createChartFollower(), signal)
  await followOnce(followed, createCreditFollower(), signal)
  const { points } = await expectOk<{ points: BalancePoint[] }>(
    scene.call(scene.investor, 'GET', '/stats/users/history'),
  )
  const newest = points.at(-1)
  if (newest === undefined) throw new Error('the chart has no point')
  return newest
}

function fund(wallet_type: string, amount: number) {
  const path = `/users/${scene.investor.userId}/wallets`
  return expectOk(scene.call(scene.admin, 'PATCH', path, { wallet_type, amount }))
}

/** Computes the net worth less the paid-in money, in cents. With `credited`, also less the credits. */
function subtractPaidIn(point: BalancePoint, credited: number): number {
  const { available, held, invested, paidIn } = point
  return Math.round((available + held + invested - paidIn - credited) * 100)
}

test('the net worth less paid-in and credited money is the profit, and no funding', async () => {
  await fund('balance', 25)
  await fund('profit', 7.5)
  await scene.gateway.moveAllClocks(THREE_DAYS_MS)
  await expectOk(scene.call(scene.investor, 'PATCH', '/investments/mine'))
  const point = await readNewestPoint()
  // Three days of the plan of the scene: 1 % of $100.00 a day.
  expect(point).toMatchObject({ paidIn: 500, credited: 32.5, profit: 3 })
  expect(subtractPaidIn(point, point.credited)).toBe(3_00)
  // Without the credits, the fundings would look like profit.
  expect(subtractPaidIn(point, 0)).toBe(35_50)
})
