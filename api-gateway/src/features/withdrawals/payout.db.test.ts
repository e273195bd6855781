import { type Answer, describeRefusal } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addUsableBankAccount } from '../../../testing/bank-accounts.ts'
import { makeApprovers } from '../../../testing/dual-control.ts'
import { expectOk, getId, type Scene, startScene } from '../../../testing/scene.ts'

let scene: Scene
let bankId: string
const reason = 'The investor asked for the balance by letter'

beforeAll(async () => {
  scene = await startScene()
  const { investor, gateway, admin, second } = scene
  bankId = await addUsableBankAccount(scene, investor)
  await makeApprovers(gateway, [admin.userId, second.userId])
})
afterAll(() => scene?.gateway.stop())

const payOut = (form: object = {}) =>
  scene.call(scene.admin, 'POST', `/users/${scene.investor.userId}/payouts`, {
    wallet_type: 'balance',
    amount: 5,
    bank_id: bankId,
    reason,
    ...form,
  })

const setStatus = (status: string) =>
  expectOk(scene.call(scene.admin, 'PATCH', `/users/${scene.investor.userId}/status`, { status }))

test('an active account is not paid out by an administrator', async () => {
  const reply = await payOut()
  expect(reply).toMatchObject({ status: 409, body: { code: 'STANDING_CONFLICT' } })
})

test('the balance of a deactivated account is paid after two approvals, whatever the amount', async () => {
  const { admin, second, call } = scene
  await setStatus('deactivate')
  const answer = await expectOk<{ transaction: object }>(payOut())
  expect(answer.transaction).toMatchObject({
    status: 'pending',
    isOperatorPayout: true,
    holdReason: expect.stringContaining('not active'),
  })
  const approve = `/transactions/${getId(answer, 'transaction')}/action/approve`
  const first = await expectOk<{ transaction: object }>(call(admin, 'PATCH', approve))
  expect(first.transaction).toMatchObject({ status: 'pending', isApprovedOnce: true })
  const decided = await expectOk<{ transaction: object }>(call(second, 'PATCH', approve))
  expect(decided.transaction).toMatchObject({ status: 'success', amount: 5 })
  const { entries } = await expectOk<{ entries: { details: object }[] }>(
    call(admin, 'GET', '/admin/audit?action=user.pay-out&limit=1'),
  )
  expect(entries[0]?.details).toMatchObject({ reason })
})

test('it goes only to a bank account of the investor, and not above the balance', async () => {
  expect(await payOut({ bank_id: scene.planId })).toMatchObject({ status: 404 })
  expect(await payOut({ amount: 1_000_000 })).toMatchObject({
    status: 422,
    body: { code: 'INSUFFICIENT_FUNDS' },
  })
  expect((await payOut({ reason: ' ' })).status).toBe(400)
})

const refuse = (refusal: ReturnType<typeof describeRefusal>): Answer => ({
  outcome: 'refused',
  ...refusal,
})

test.each<[status: number, answer: Answer]>([
  [409, refuse(describeRefusal('investorUnknown'))],
  [409, refuse(describeRefusal('investorNotActive', { standing: 'closed' }))],
  [422, refuse(describeRefusal('tooManyPending', { pendingMax: '10' }))],
  [429, { outcome: 'failed', code: 'OVERLOADED', message: 'the queue is full' }],
])('the answer %i of the ledger is passed on', async (status, answer) => {
  scene.gateway.ledger.answerWith = () => answer
  const reply = await payOut()
  scene.gateway.ledger.answerWith = () => null
  expect(reply).toMatchObject({ status, body: { code: 'code' in answer ? answer.code : '' } })
})

test('it waits for the bank account and for the hold after a change of credentials', async () => {
  const { gateway, investor } = scene
  const account = gateway.db.updateTable('platform.bank_account').where('id', '=', bankId)
  await account.set({ confirmed_at: null, usable_from: null }).execute()
  expect(await payOut()).toMatchObject({
    status: 422,
    body: { code: 'BANK_ACCOUNT_NOT_USABLE' },
  })
  await account.set({ confirmed_at: new Date(0), usable_from: new Date(0) }).execute()
  const user = gateway.db.updateTable('identity.user').where('id', '=', investor.userId)
  await user.set({ credential_hold_until: new Date('2099-01-01') }).execute()
  expect(await payOut()).toMatchObject({ status: 403, body: { code: 'CREDENTIAL_HOLD' } })
})
