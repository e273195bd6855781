import { createId } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addUsableBankAccount } from '../../../testing/bank-accounts.ts'
import { expectOk, getId, type Scene, startScene } from '../../../testing/scene.ts'
import { type Reply, type Visitor, visitAs } from '../../../testing/test-gateway.ts'

const DAY_MS = 86_400_000

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
  // The tests run at noon, so that no limit renews between a withdrawal and the check after it.
  const nowMs = scene.gateway.deps.clock.now()
  await scene.gateway.moveAllClocks((1.5 * DAY_MS - (nowMs % DAY_MS)) % DAY_MS)
})
afterAll(() => scene?.gateway.stop())

interface Settings {
  general: object
  security: object
  payment: object
}

let investor: Visitor
let bankId: string
beforeEach(async () => {
  const visitor = await visitAs(scene.gateway, 'investor')
  if (visitor === null) throw new Error('an investor has a session')
  investor = visitor
  const gift = { wallet: 'balance', amountMinor: 500_000n, category: null, reason: null } as const
  const data = { ...gift, transactionId: createId(Date.now()), investorId: investor.userId }
  const envelope = { actor: 'system:test', key: null, requestId: null, effectiveAt: null }
  await scene.gateway.ledger.unrecorded.submit({ type: 'FundWallet', data, ...envelope })
  bankId = await addUsableBankAccount(scene, investor)
})

/** Saves the settings as the settings page does. */
async function saveSettings(payment: object): Promise<Reply> {
  const path = '/admin/settings'
  const { settings } = await expectOk<{ settings: Settings }>(scene.call(scene.admin, 'GET', path))
  const form = { ...settings, payment: { ...settings.payment, ...payment } }
  return scene.call(scene.admin, 'POST', path, form)
}

function requestWithdrawal(amount: number): Promise<Reply> {
  const form = { type: 'withdrawal', amount, pay_option: 'balance', bank_id: bankId }
  return scene.call(investor, 'POST', '/users/me/transactions', form)
}

function listLimits() {
  return expectOk<{ limits: readonly object[] }>(
    scene.call(investor, 'GET', '/users/me/withdrawal_limits'),
  )
}

test('limits are set in the settings, and the remaining amount is shown to each investor', async () => {
  expect(await listLimits()).toEqual({ limits: [] })
  await expectOk(saveSettings({ dailyWithdrawalLimit: '1000', monthlyWithdrawalLimit: 1500.5 }))
  const { settings } = await expectOk<{ settings: object }>(
    scene.call(null, 'GET', '/public/settings'),
  )
  expect(settings).toMatchObject({ dailyWithdrawalLimit: 1000, monthlyWithdrawalLimit: 1500.5 })
  await expectOk(requestWithdrawal(400))
  expect(await listLimits()).toMatchObject({
    limits: [
      { period: 'day', limit: 1000, left: 600 },
      { period: 'month', limit: 1500.5, left: 1100.5 },
    ],
  })
})

test('a withdrawal above a limit is refused with the limit, the remaining amount and the end of the period', async () => {
  await expectOk(saveSettings({ dailyWithdrawalLimit: '1000', monthlyWithdrawalLimit: null }))
  const taken = getId(await expectOk(requestWithdrawal(900)), 'transaction')
  const { status, body } = await requestWithdrawal(100.01)
  expect({ status, ...body }).toMatchObject({
    status: 'fail',
    code: 'WITHDRAWAL_LIMIT',
    details: { period: 'day', left: '$100' },
    message: expect.stringMatching(
      /^Withdrawals are limited to \$1,000 a day\. Today you can still withdraw \$100; the limit renews on \w+ \d{1,2}, \d{4}, 00:00 UTC\.$/,
    ),
  })
  await expectOk(scene.call(investor, 'POST', `/users/me/transactions/${taken}/cancel`))
  await expectOk(requestWithdrawal(1000))

  await expectOk(saveSettings({ dailyWithdrawalLimit: null, monthlyWithdrawalLimit: 1200 }))
  expect((await requestWithdrawal(201)).body.message).toContain(
    'Withdrawals are limited to $1,200 a month. This month you can still withdraw $200;',
  )
})

test('a limit below the minimum withdrawal, or of nothing, is not saved', async () => {
  for (const [limit, message] of [
    ['9.99', 'Enter at least the minimum withdrawal, or leave the field empty'],
    ['0', 'Enter an amount greater than zero, or leave the field empty'],
  ]) {
    const { status, body } = await saveSettings({
      minWithdrawal: 10,
      monthlyWithdrawalLimit: limit,
    })
    expect(status).toBe(400)
    expect(body.errors).toEqual({ monthlyWithdrawalLimit: message })
  }
})

test('a limit that a documented request omits stays', async () => {
  await expectOk(saveSettings({ dailyWithdrawalLimit: 1000, monthlyWithdrawalLimit: null }))
  await expectOk(
    saveSettings({ dailyWithdrawalLimit: undefined, monthlyWithdrawalLimit: undefined }),
  )
  expect(await listLimits()).toMatchObject({ limits: [{ period: 'day', limit: 1000 }] })
})
