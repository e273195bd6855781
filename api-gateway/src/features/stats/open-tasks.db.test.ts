import type { OpenTask, UserStats } from '@cairn/gateway-contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'
import { addUser } from '../../../testing/test-gateway.ts'

let scene: Scene

beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.gateway.stop())

async function readTasks(): Promise<readonly OpenTask[]> {
  const { tasks } = await expectOk<{ tasks: OpenTask[] }>(
    scene.call(scene.admin, 'GET', '/stats/admin'),
  )
  return tasks
}

test('only kinds of work that wait are listed, with their number and amount', async () => {
  expect(await readTasks()).toEqual([])

  await scene.deposit(scene.investor, '120.5')
  await scene.deposit(scene.investor, '30')
  const deposits = { kind: 'deposits', count: 2, amount: 150.5, oldestAt: expect.any(String) }
  expect(await readTasks()).toEqual([deposits])

  await addUser(scene.gateway, { role: 'user', status: 'pending' })
  await scene.gateway.db
    .updateTable('identity.user')
    .set({ pending_name: 'Another Name' })
    .where('id', '=', scene.investor.userId)
    .execute()
  const tasks = await readTasks()
  expect(tasks).toContainEqual(deposits)
  expect(tasks).toContainEqual({ kind: 'names', count: 1, amount: null, oldestAt: null })
  const users = { kind: 'users', count: 1, amount: null, oldestAt: expect.any(String) }
  expect(tasks).toContainEqual(users)
  expect(tasks.at(-1)?.kind).toBe('names')
})

test('an investor sees the number and the amount of the own pending deposits only', async () => {
  const readPending = async () => {
    const { stats } = await expectOk<{ stats: UserStats }>(
      scene.call(scene.stranger, 'GET', '/stats/users'),
    )
    return stats.pending_deposits
  }
  expect(await readPending()).toEqual({ count: 0, amount: 0 })
  await scene.deposit(scene.investor, '77')
  const first = await scene.deposit(scene.stranger, '40.25')
  await scene.deposit(scene.stranger, '12')
  expect(await readPending()).toEqual({ count: 2, amount: 52.25 })
  await expectOk(scene.call(scene.admin, 'PATCH', `/transactions/${first}/action/approve`))
  expect(await readPending()).toEqual({ count: 1, amount: 12 })
})
