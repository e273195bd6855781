import type { Faq } from '@cairn/gateway-contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countLockWaits } from '../../../testing/run-during.ts'
import { expectOk } from '../../../testing/scene.ts'
import {
  send,
  startTestGateway,
  type TestGateway,
  type Visitor,
  visitAs,
} from '../../../testing/test-gateway.ts'

let gateway: TestGateway
let admin: Visitor | null
beforeAll(async () => {
  gateway = await startTestGateway()
  admin = await visitAs(gateway, 'admin')
})
afterAll(() => gateway?.stop())

const call = (method: string, path: string, body: object) =>
  expectOk<{ faq: Faq }>(send(gateway, admin, { method, path, body }))

test('two changes at once to different fields of a question are both kept', async () => {
  const form = { question: 'Is it safe?', answer: 'See the claims.', position: 7 }
  const { faq } = await call('POST', '/admin/faqs', form)
  const path = `/admin/faqs/${faq.id}`
  const changing = await gateway.db.transaction().execute(async (trx) => {
    const row = trx.selectFrom('platform.faq').select('id').where('id', '=', faq.id)
    await row.forUpdate().execute()
    const calls = [
      call('PATCH', path, { question: 'How safe is it?' }),
      call('PATCH', path, { answer: 'See the page Claims.', displayStatus: false }),
    ]
    await expect.poll(() => countLockWaits(gateway)).toBe(2)
    return { calls }
  })
  await Promise.all(changing.calls)
  expect((await call('PATCH', path, {})).faq).toMatchObject({
    question: 'How safe is it?',
    answer: 'See the page Claims.',
    position: 7,
    displayStatus: false,
  })
})
