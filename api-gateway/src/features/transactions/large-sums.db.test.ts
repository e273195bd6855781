import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())

const MOST = '9999999999999.99'

test('two requests of the largest amount leave every list readable', async () => {
  const { admin, stranger, call, deposit } = scene
  const readSum = async (who: typeof admin, path: string) => {
    const list = await expectOk<{ meta: { totals: { amount: number } } }>(call(who, 'GET', path))
    return list.meta.totals.amount
  }
  const before = await readSum(admin, '/transactions')
  expect(await readSum(stranger, '/users/me/transactions')).toBe(0)
  await deposit(stranger, MOST)
  await deposit(stranger, MOST)
  expect(await readSum(admin, '/transactions')).toBeCloseTo(before + 19_999_999_999_999.98, 2)
  expect(await readSum(stranger, '/users/me/transactions')).toBe(19_999_999_999_999.98)
  expect((await call(admin, 'GET', '/stats/admin')).status).toBe(200)
  expect((await call(admin, 'GET', '/transactions.csv')).status).toBe(200)
})
