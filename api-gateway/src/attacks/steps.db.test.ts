import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { idOf, ok, type Scene, startScene } from '../testing/scene.ts'
import { addUser, openVisit, send, type Visitor } from '../testing/test-gateway.ts'

let scene: Scene
let pending: Visitor
let bankId: string
let hiddenPlanId: string
beforeAll(async () => {
  scene = await startScene()
  pending = await openVisit(
    scene.gateway,
    await addUser(scene.gateway, { role: 'user', status: 'pending' }),
  )
  const account = { bankName: 'B', accountNumber: '1', accountName: 'A', accountType: 'Others' }
  bankId = idOf(await ok(scene.call(scene.stranger, 'POST', '/users/me/banks', account)), 'account')
  const terms = {
    planDuration: 1,
    timingParameter: 'days',
    minDeposit: 50,
    percentage: 1,
    returnPrincipal: true,
  }
  hiddenPlanId = idOf(await ok(scene.call(scene.admin, 'POST', '/plans', terms)), 'plan')
  await ok(scene.call(scene.admin, 'DELETE', `/plans/${hiddenPlanId}`))
  const hidden = { payOption: 'Crypto Wallet', bank: 'ETH', accountNumber: '0x1' }
  await ok(scene.call(scene.admin, 'POST', '/paymentOptions', { ...hidden, displayStatus: false }))
}, 60_000)
afterAll(() => scene?.gateway.stop())

const invest = (visitor: Visitor | null, body: object) =>
  scene.call(visitor, 'POST', '/users/me/investments', body)
const withdraw = (visitor: Visitor, body: object) =>
  scene.call(visitor, 'POST', '/users/me/transactions', { type: 'withdrawal', ...body })
const pay = (visitor: Visitor, fields: Record<string, string>) =>
  scene.upload(visitor, {
    method: 'POST',
    path: '/users/me/transactions',
    field: 'receipt',
    fields: { type: 'deposit', ...fields },
  })

describe('T34 steps that are skipped and limits that are passed', () => {
  test('before the approval no money moves', async () => {
    const bank = { pay_option: 'Bank Transfer', amount: '100' }
    expect((await pay(pending, bank)).status).toBe(403)
    expect((await invest(pending, { plan: scene.planId, amount: 100 })).status).toBe(403)
    const out = { amount: 50, pay_option: 'balance', bank_id: bankId }
    expect((await withdraw(pending, out)).status).toBe(403)
    expect((await invest(null, { plan: scene.planId, amount: 100 })).status).toBe(401)
    expect((await invest(scene.admin, { plan: scene.planId, amount: 100 })).status).toBe(403)
  })

  test.each([
    ['a plan that is off the offer', () => ({ plan: hiddenPlanId, amount: 100 }), 422],
    ['a plan that never was', () => ({ plan: '0123456789abcdefghjk', amount: 100 }), 422],
    ['less than the plan takes', () => ({ plan: scene.planId, amount: 49.99 }), 422],
    ['more than there is', () => ({ plan: scene.planId, amount: 100_000 }), 422],
    [
      'somebody else’s money',
      () => ({ plan: scene.planId, amount: 100, user: scene.stranger.userId }),
      403,
    ],
    ['no plan', () => ({ amount: 100 }), 400],
  ])('nobody invests in %s', async (_name, body, status) => {
    expect((await invest(scene.investor, body())).status).toBe(status)
  })

  test.each([
    ['without a receipt', { pay_option: 'Bank Transfer', amount: '100' }, true, 400],
    ['to a hidden option', { pay_option: 'Crypto Wallet', amount: '100' }, false, 400],
    ['below the minimum', { pay_option: 'Bank Transfer', amount: '9.99' }, false, 422],
    ['to no option', { amount: '100' }, false, 400],
  ])('nobody deposits %s', async (_name, fields, isBare, status) => {
    const path = '/users/me/transactions'
    const reply = isBare
      ? await scene.call(scene.investor, 'POST', path, { type: 'deposit', ...fields })
      : await pay(scene.investor, fields as Record<string, string>)
    expect(reply.status).toBe(status)
  })

  test.each([
    [
      'to somebody else’s bank account',
      () => ({ amount: 50, pay_option: 'balance', bank_id: bankId }),
      404,
    ],
    ['below the minimum', () => ({ amount: 1, pay_option: 'balance', bank_id: bankId }), 404],
    [
      'from a source that is none',
      () => ({ amount: 50, pay_option: 'reserve', bank_id: bankId }),
      400,
    ],
    ['to no bank account', () => ({ amount: 50, pay_option: 'balance' }), 400],
  ])('nobody withdraws %s', async (_name, body, status) => {
    expect((await withdraw(scene.investor, body())).status).toBe(status)
  })

  test('nothing of it moved anything', async () => {
    const { stats } = await ok(scene.call(scene.investor, 'GET', '/stats/users'))
    expect(stats).toMatchObject({ wallet: { balance: 400 }, total_investment: 1 })
    const { totals } = await scene.gateway.ledger.ask('totals', {})
    expect(Object.values(totals.byKind).reduce((sum, minor) => sum + minor, 0n)).toBe(0n)
  })
})

describe('T54 links in mails', () => {
  test('lead to the site as it is configured, whatever host was asked', async () => {
    const email = `${scene.investor.userId}@example.com`
    await send(scene.gateway, null, {
      method: 'POST',
      path: '/users/forgot_password',
      body: { email },
      headers: { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' },
    })
    // Written after the answer, so that its time tells nothing.
    const sealed = await vi.waitFor(async () => {
      const row = await scene.gateway.db
        .selectFrom('identity.outbox')
        .select('sealed')
        .where('user_id', '=', scene.investor.userId)
        .where('kind', '=', 'password-reset')
        .executeTakeFirstOrThrow()
      return row.sealed ?? Buffer.alloc(0)
    })
    const { path = '' } = scene.gateway.deps.seal.open(sealed)
    // A path and no more: the mail puts the configured address before it.
    expect(path).toMatch(/^\/users\/resetPassword\?token=[\w-]+$/)
  })
})
