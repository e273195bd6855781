import type { AdminPlan } from '@cairn/gateway-contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())

test('the audit log has the terms of a plan before and after a change', async () => {
  const { admin, planId, call, gateway } = scene
  await expectOk(call(admin, 'PATCH', `/plans/${planId}`, { percentage: 12 }))
  const rows = await gateway.db
    .selectFrom('platform.audit')
    .select('details')
    .where('action', '=', 'plan.edit')
    .where('result', '=', 'success')
    .execute()
  expect(rows).toMatchObject([
    {
      details: { name: 'Ten days', before: { profitPpm: 100_000 }, after: { profitPpm: 120_000 } },
    },
  ])
})

test('an edit of a plan that another administrator has edited meanwhile is refused', async () => {
  const { admin, second, planId, call } = scene
  const readPlan = async () => {
    const { plans } = await expectOk<{ plans: AdminPlan[] }>(call(admin, 'GET', '/admin/plans'))
    return plans.find(({ id }) => id === planId)
  }
  const seen = await readPlan()
  await expectOk(
    call(second, 'PATCH', `/plans/${planId}?version=${seen?.version}`, { minDeposit: 75 }),
  )
  const whole = { minDeposit: seen?.minDeposit, name: 'Renamed' }
  const refused = await call(admin, 'PATCH', `/plans/${planId}?version=${seen?.version}`, whole)
  expect(refused).toMatchObject({ status: 409, body: { code: 'TERMS_CHANGED' } })
  expect(await readPlan()).toMatchObject({ name: 'Ten days', minDeposit: 75 })
  // A client of an earlier release sends no version: its edit then replaces the other.
  await expectOk(call(admin, 'PATCH', `/plans/${planId}`, whole))
  expect(await readPlan()).toMatchObject({ name: 'Renamed', minDeposit: seen?.minDeposit })
})
