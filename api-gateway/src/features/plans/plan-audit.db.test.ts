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
