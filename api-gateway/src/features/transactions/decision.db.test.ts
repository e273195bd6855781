import type { Transaction } from '@cairn/gateway-contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addUsableBankAccount } from '../../../testing/bank-accounts.ts'
import { expectOk, getId, type Scene, startScene } from '../../../testing/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())

test('an approval can be repeated; another amount is refused with the first one', async () => {
  const { admin, second, stranger, call, deposit } = scene
  const path = `/transactions/${await deposit(stranger, '100.00')}/action/approve`
  const approve = (who: typeof admin, body: object) => call(who, 'PATCH', path, body)
  await expectOk(approve(admin, { approvedAmount: '80' }))
  await expectOk(approve(second, { approvedAmount: 80 }))
  await expectOk(approve(second, {}))
  const other = await approve(second, { approvedAmount: '90' })
  expect([other.status, other.body.code]).toEqual([409, 'TRANSACTION_DECIDED'])
  expect(other.body.message).toMatch(/^This transaction was already approved with \$80 by /)
})

test('a second payment of a paid withdrawal is not answered as recorded', async () => {
  const { admin, second, investor, call } = scene
  const bank_id = await addUsableBankAccount(scene, investor, { accountNumber: '1234' })
  const form = { type: 'withdrawal', amount: 20, pay_option: 'balance', bank_id }
  const id = getId(
    await expectOk(call(investor, 'POST', '/users/me/transactions', form)),
    'transaction',
  )
  const approve = (who: typeof admin, payoutReference?: string) =>
    call(who, 'PATCH', `/transactions/${id}/action/approve`, { payoutReference })
  await expectOk(approve(admin, 'WIRE-1'))
  await expectOk(approve(second, 'WIRE-1'))
  await expectOk(approve(second))
  const other = await approve(second, 'WIRE-2')
  expect([other.status, other.body.code]).toEqual([409, 'TRANSACTION_DECIDED'])
  expect(other.body.message).toMatch(
    /^This transaction was already approved with another payment by /,
  )
})

test('an approved deposit cannot be cancelled, and the refusal states the approval', async () => {
  const { admin, stranger, call, deposit } = scene
  const id = await deposit(stranger, '25.00')
  await expectOk(call(admin, 'PATCH', `/transactions/${id}/action/approve`))
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
    .where('result', '<>', 'attempted')
    .execute()
  expect(rows).toMatchObject([{ details: { to: 'success', isAnswered: false } }])
})

test('a cancelled request reads as declined with the user who cancelled it', async () => {
  const { admin, stranger, call, deposit } = scene
  const cancelled = await deposit(stranger, '45.00')
  await expectOk(call(stranger, 'POST', `/users/me/transactions/${cancelled}/cancel`))
  const declined = await deposit(stranger, '46.00')
  const reason = 'cancelled_by_user'
  await expectOk(call(admin, 'PATCH', `/transactions/${declined}/action/decline`, { reason }))

  const page = await expectOk<{ transactions: Transaction[]; meta: { total: number } }>(
    call(admin, 'GET', '/transactions?status=declined&limit=100'),
  )
  const findTransaction = (id: string) => page.transactions.find((each) => each.id === id)
  const common = { status: 'declined', declineReason: reason }
  expect(findTransaction(cancelled)).toMatchObject({ ...common, cancelledBy: stranger.userId })
  expect(findTransaction(declined)).toMatchObject({ ...common, cancelledBy: null })
  expect(page.meta.total).toBe(page.transactions.length)

  // This administrator repeats a decline without knowing that the investor has cancelled the
  // request.
  await expectOk(
    call(admin, 'PATCH', `/transactions/${cancelled}/action/decline`, { reason: 'Late' }),
  )
  const approval = { reason: 'It was paid', reverse: true }
  const approve = (id: string) =>
    call(admin, 'PATCH', `/transactions/${id}/action/approve`, approval)
  expect((await approve(cancelled)).body.code).toBe('NOT_REVERSIBLE')
  await expectOk(approve(declined))
})

test('parts of a decision that its event would not record are refused', async () => {
  const { admin, stranger, call, deposit } = scene
  const approve = async (id: string, body: object) => {
    const reply = await call(admin, 'PATCH', `/transactions/${id}/action/approve`, body)
    return [reply.status, reply.body.message]
  }
  const decline = (id: string) => call(admin, 'PATCH', `/transactions/${id}/action/decline`)
  const open = await deposit(stranger, '31.00')
  await expectOk(decline(open))
  const reversal = { reverse: true, reason: 'Only a part arrived' }
  expect(await approve(open, { ...reversal, approvedAmount: '15.00' })).toEqual([
    400,
    'A reversal has the amount of the earlier decision. Omit this field.',
  ])
  expect((await approve(open, { ...reversal, approvedAmount: '31.00' }))[0]).toBe(200)
})

test('a payout reference says nothing about a deposit, and a reversal cannot record one', async () => {
  const { admin, investor, stranger, call, deposit } = scene
  const approve = (id: string, body: object) =>
    call(admin, 'PATCH', `/transactions/${id}/action/approve`, body)
  const paidIn = await deposit(stranger, '32.00')
  await expectOk(approve(paidIn, { payoutReference: 'BATCH-7' }))
  await expectOk(approve(paidIn, { payoutReference: 'BATCH-7' }))
  const bank_id = await addUsableBankAccount(scene, investor, { accountNumber: '5678' })
  const form = { type: 'withdrawal', amount: 20, pay_option: 'balance', bank_id }
  const made = await expectOk(call(investor, 'POST', '/users/me/transactions', form))
  const id = getId(made, 'transaction')
  await expectOk(call(admin, 'PATCH', `/transactions/${id}/action/decline`))
  const reversal = { reverse: true, reason: 'Paid after all' }
  const refused = await approve(id, { ...reversal, payoutReference: 'WIRE-2' })
  expect([refused.status, refused.body.message]).toEqual([
    400,
    'A reversal cannot record a payout reference. Omit this field.',
  ])
  await expectOk(approve(id, reversal))
})
