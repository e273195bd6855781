import { afterAll, beforeAll, expect, test } from 'vitest'
import { ok, type Scene, startScene } from '../../../testing/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())

test('an approval can be repeated; another amount is refused with the first one', async () => {
  const { admin, second, stranger, call, deposit } = scene
  const path = `/transactions/${await deposit(stranger, '100.00')}/action/approve`
  const approve = (who: typeof admin, body: object) => call(who, 'PATCH', path, body)
  await ok(approve(admin, { approvedAmount: '80' }))
  await ok(approve(second, { approvedAmount: 80 }))
  await ok(approve(second, {}))
  const other = await approve(second, { approvedAmount: '90' })
  expect([other.status, other.body.code]).toEqual([409, 'TRANSACTION_DECIDED'])
  expect(other.body.message).toMatch(/^This transaction was already approved with \$80 by /)
})

test('who cancels what was approved reads so', async () => {
  const { admin, stranger, call, deposit } = scene
  const id = await deposit(stranger, '25.00')
  await ok(call(admin, 'PATCH', `/transactions/${id}/action/approve`))
  const late = await call(stranger, 'POST', `/users/me/transactions/${id}/cancel`)
  expect([late.status, late.body.message]).toEqual([409, 'This deposit was already approved'])
})

test('a decision is in the audit log although its result could not be read afterwards', async () => {
  const { admin, stranger, call, deposit, gateway } = scene
  const id = await deposit(stranger, '35.00')
  const { ledger } = gateway
  const { ask } = ledger
  ledger.answerWith = () => {
    ledger.ask = () => Promise.reject(new Error('the ledger was stopped'))
    return null
  }
  const broken = await call(admin, 'PATCH', `/transactions/${id}/action/approve`)
  ledger.answerWith = () => null
  ledger.ask = ask
  expect(broken.status).toBe(500)
  const rows = await gateway.db
    .selectFrom('platform.audit')
    .select('details')
    .where('subject', '=', id)
    .where('action', '=', 'transaction.approve')
    .execute()
  expect(rows).toMatchObject([{ details: { to: 'success', isAnswered: false } }])
})
