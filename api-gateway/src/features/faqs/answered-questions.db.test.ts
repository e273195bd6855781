import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())

test('the public questions end with those that the rules and the ledger answer', async () => {
  const { faqs } = await expectOk<{ faqs: { id: string; question: string; answer: string }[] }>(
    scene.call(null, 'GET', '/public/faqs'),
  )
  expect(faqs.slice(-2).map(({ question }) => question)).toEqual([
    'What are the minimum amounts and the fees?',
    'How long does a deposit or a withdrawal take?',
  ])
  // The scene has decided one deposit.
  expect(faqs.at(-1)?.answer).toContain('to state a usual time: fewer than 20 of each')
  expect(new Set(faqs.map(({ id }) => id)).size).toBe(faqs.length)
})
