import { createId } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'

const MINUTE_MS = 60_000

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())

/** Records a deposit that is declined `waitedMs` after its request. */
async function recordDeclinedDeposit(waitedMs: number, method = 'Bank Transfer'): Promise<void> {
  const { ledger } = scene.gateway
  const nowMs = Date.now()
  const transactionId = createId(nowMs)
  const about = { actor: `user:${scene.admin.userId}`, key: null, requestId: 'test' }
  await ledger.submit({
    type: 'RequestDeposit',
    data: {
      transactionId,
      investorId: scene.stranger.userId,
      amountMinor: 5_000n,
      method,
      paymentOptionId: null,
      receiptId: 'receipt',
      receiptSha256: 'a'.repeat(64),
    },
    effectiveAt: new Date(nowMs - waitedMs).toISOString(),
    ...about,
  })
  const data = { transactionId, reason: null }
  await ledger.submit({ type: 'DeclineDeposit', data, effectiveAt: null, ...about })
}

type Measured = { count: number; medianMs: number; p90Ms: number }
const readTimes = () =>
  expectOk<{
    deposit: Measured | null
    withdrawal: Measured | null
    depositMethods: (Measured & { method: string })[]
  }>(scene.call(scene.stranger, 'GET', '/transactions/review_times'))

test('review times are published after twenty decisions of a kind', async () => {
  // The scene contains one decision already, an approved deposit. This loop adds decisions 2 to 19.
  for (let made = 0; made < 18; made += 1) await recordDeclinedDeposit(10 * MINUTE_MS)
  expect(await readTimes()).toEqual({
    deposit: null,
    withdrawal: null,
    depositMethods: [],
  })
  await recordDeclinedDeposit(60 * MINUTE_MS)
  // There are 20 decisions now, but the answer is still the measurement that was cached less than a
  // minute ago.
  expect(await readTimes()).toMatchObject({ deposit: null })
  scene.gateway.moveClock(2 * MINUTE_MS)
  const { deposit, withdrawal } = await readTimes()
  expect(withdrawal).toBeNull()
  expect(deposit?.count).toBe(20)
  expect(Math.round((deposit?.medianMs ?? 0) / MINUTE_MS)).toBe(10)
  expect(Math.round((deposit?.p90Ms ?? 0) / MINUTE_MS)).toBe(10)
})

test('the review time of a method counts only the deposits by that method', async () => {
  for (let made = 0; made < 19; made += 1)
    await recordDeclinedDeposit(40 * MINUTE_MS, 'Crypto Wallet')
  scene.gateway.moveClock(2 * MINUTE_MS)
  expect((await readTimes()).depositMethods).toMatchObject([{ method: 'Bank Transfer', count: 20 }])
  await recordDeclinedDeposit(40 * MINUTE_MS, 'Crypto Wallet')
  scene.gateway.moveClock(2 * MINUTE_MS)
  const { deposit, depositMethods } = await readTimes()
  expect(deposit?.count).toBe(40)
  const minutes = depositMethods.map(({ method, count, medianMs }) => {
    return [method, count, Math.round(medianMs / MINUTE_MS)]
  })
  expect(minutes).toEqual([
    ['Bank Transfer', 20, 10],
    ['Crypto Wallet', 20, 40],
  ])
})
