import type { AdminRole } from '@cairn/gateway-contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'
import { addUser, openVisit, type Visitor } from '../../../testing/test-gateway.ts'
import { followOnce } from '../../platform/jobs/follower.ts'
import { createNotificationFollower } from './follower.ts'

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

test('a request is announced to the administrators who may decide it', async () => {
  const [finance, support] = [
    await openVisitWithRole('finance'),
    await openVisitWithRole('support'),
  ]
  await scene.deposit(scene.investor, '61.00')
  const { db, ledger, deps } = scene.gateway
  const { clock, settings } = deps
  const follower = createNotificationFollower({ clock, settings })
  await followOnce({ db, ledger, clock }, follower, new AbortController().signal)
  expect(await listTitles(finance)).toContain('A deposit of $61 is waiting')
  expect(await listTitles(support)).toEqual([])
})

test('a change of roles is announced to every administrator with a role', async () => {
  const [support, other] = [await openVisitWithRole('support'), await openVisitWithRole('finance')]
  const body = { roles: [{ role: 'auditor' }] }
  await expectOk(scene.call(scene.admin, 'PUT', `/users/${other.userId}/roles`, body))
  expect(await listTitles(support)).toEqual([`The roles of Person ${other.userId} were changed`])
})
