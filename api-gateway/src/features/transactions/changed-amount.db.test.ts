import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'
import { listPage } from './list.ts'

const FILTER = { page: 1, limit: 1, sort: '-amount', type: 'deposit' } as const
const READER = { permissions: new Set<never>() }

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
  for (const amount of ['900.00', '800.00', '700.00']) await scene.deposit(scene.investor, amount)
})
afterAll(() => scene?.gateway.stop())

/** Reads the pages after the place as an export does. Returns the ids of their rows. */
async function readFrom(place: string | null): Promise<string[]> {
  const ids: string[] = []
  for (let after = place; after !== null; ) {
    const { transactions, next } = await listPage(scene.gateway.deps, { ...FILTER, after }, READER)
    ids.push(...transactions.map(({ transactionId }) => transactionId))
    after = next
  }
  return ids
}

test('an export by amount has every other row once, although the amount of a row changes', async () => {
  const { gateway, call, admin } = scene
  const first = await listPage(gateway.deps, FILTER, READER)
  const [largest] = first.transactions
  if (largest === undefined || first.next === null) throw new Error('there are transactions')
  const rest = await readFrom(first.next)
  const path = `/transactions/${largest.transactionId}/action/approve`
  await expectOk(call(admin, 'PATCH', path, { approvedAmount: '1.00', reason: 'Less arrived' }))
  const isOther = (id: string) => id !== largest.transactionId
  expect((await readFrom(first.next)).filter(isOther)).toEqual(rest)
  // Its sabotaged twin: a place without the amount is now the last one of the list.
  expect(await readFrom(largest.transactionId)).toEqual([])
})
