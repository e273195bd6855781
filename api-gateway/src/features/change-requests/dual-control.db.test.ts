import { afterAll, beforeAll, expect, test } from 'vitest'
import { addApprover, setDualControl } from '../../../testing/dual-control.ts'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())

test('administrators see whether a change needs two of them, and investors do not', async () => {
  const readMode = () => scene.call(scene.admin, 'GET', '/admin/dualControl')
  expect(await expectOk(readMode())).toEqual({ mode: 'single' })
  for (const { userId } of [scene.admin, scene.second]) await addApprover(scene.gateway, userId)
  expect(await expectOk(readMode())).toEqual({ mode: 'required' })
  await setDualControl(scene.gateway, 'single')
  expect(await expectOk(readMode())).toEqual({ mode: 'single' })
  const { status } = await scene.call(scene.investor, 'GET', '/admin/dualControl')
  expect(status).toBe(403)
})
