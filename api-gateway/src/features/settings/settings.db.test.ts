import type { AdminSettings, Failure } from '@cairn/gateway-contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  openVisit,
  send,
  startTestGateway,
  type TestGateway,
  type Visitor,
  visitAs,
} from '../../../testing/test-gateway.ts'

let gateway: TestGateway
let admin: Visitor
beforeAll(async () => {
  gateway = await startTestGateway()
  admin = await visit('admin')
})
beforeEach(async () => {
  await gateway.db.deleteFrom('platform.setting').execute()
  gateway.deps.settings.forget()
  gateway.ledger.commands.length = 0
})
afterAll(() => gateway.stop())

async function visit(who: 'investor' | 'admin'): Promise<Visitor> {
  const visitor = await visitAs(gateway, who)
  if (visitor === null) throw new Error(`${who} has a session`)
  return visitor
}

async function loadSettings(visitor = admin): Promise<AdminSettings> {
  const reply = await send(gateway, visitor, { method: 'GET', path: '/admin/settings' })
  return (reply.body.data as unknown as { settings: AdminSettings }).settings
}

async function saveSettings(
  body: unknown,
  visitor = admin,
): Promise<{ status: number; body: Failure }> {
  const reply = await send(gateway, visitor, { method: 'POST', path: '/admin/settings', body })
  return { status: reply.status, body: reply.body as unknown as Failure }
}

/** The form as the documentation shows it. It has no version and lacks the newest settings. */
const DOCUMENTED = {
  general: {
    siteName: 'Cairn',
    siteUrl: 'http://gateway.test',
    defaultCurrency: 'USD',
    maintenanceMode: false,
    timezone: 'UTC',
  },
  security: { twoFactorAuth: false, loginAttempts: 5, passwordExpiry: 90, ipWhitelist: [] },
  notifications: {
    emailNotifications: true,
    adminEmail: 'ops@example.com',
    newUserNotification: true,
    depositNotification: true,
    withdrawalNotification: true,
  },
  payment: {
    depositFee: 0,
    withdrawalFee: 0,
    minDeposit: 10,
    minWithdrawal: 10,
    paymentMethods: ['bank', 'crypto'],
  },
}

describe('the settings', () => {
  test('are loaded with their defaults, saved whole, and loaded as they were saved', async () => {
    const loaded = await loadSettings()
    expect(loaded).toMatchObject({
      general: { defaultCurrency: 'USD', maintenanceMode: false, timezone: 'UTC' },
      security: { loginAttempts: 5, passwordExpiry: 90, ipWhitelist: [], credentialHoldHours: 24 },
      payment: { referral: { blockedCountries: ['GB'] }, annualRateWarning: 15 },
      version: 0,
    })
    loaded.general.contact.phone = '+1 555 0199'
    loaded.payment.withdrawalFee = 1.5
    expect((await saveSettings(loaded)).status).toBe(200)
    const again = await loadSettings()
    expect(again.general.contact.phone).toBe('+1 555 0199')
    expect(again.version).toBe(1)
    // The first save of the settings also chooses the currency that the settings show.
    expect(gateway.ledger.commands).toMatchObject([
      { type: 'ChooseCurrency', data: { asset: 'USD/2' } },
      { type: 'SetMoneyRules', data: { rules: { withdrawalFeePpm: 15_000 } } },
    ])
    const visitor = await send(gateway, null, { method: 'GET', path: '/public/settings' })
    expect(visitor.body.data).toMatchObject({ settings: { contact: { phone: '+1 555 0199' } } })
  })

  test('keep the later keys that a documented request leaves out', async () => {
    const loaded = await loadSettings()
    loaded.general.legalName = 'Cairn Ltd'
    await saveSettings(loaded)
    expect((await saveSettings(DOCUMENTED)).status).toBe(200)
    const again = await loadSettings()
    expect(again.general.legalName).toBe('Cairn Ltd')
    expect(again.notifications.adminEmail).toBe('ops@example.com')
    expect(again.payment.paymentMethods).toEqual(['bank', 'crypto'])
  })

  test('name wrong fields in a map of leaf names', async () => {
    const body = {
      general: { ...DOCUMENTED.general, siteName: ' ', siteUrl: 'javascript:alert(1)' },
      security: {
        ...DOCUMENTED.security,
        loginAttempts: 11,
        passwordExpiry: 29,
        ipWhitelist: ['10.0.0.0/33'],
      },
      notifications: DOCUMENTED.notifications,
      payment: { ...DOCUMENTED.payment, depositFee: 10.1, withdrawalFee: 0.55, minDeposit: 0.5 },
    }
    const reply = await saveSettings(body)
    expect(reply.status).toBe(400)
    expect(Object.keys(reply.body.errors ?? {}).toSorted()).toEqual([
      'depositFee',
      'ipWhitelist',
      'loginAttempts',
      'minDeposit',
      'passwordExpiry',
      'siteName',
      'siteUrl',
      'withdrawalFee',
    ])
    expect(reply.body.errors).not.toBeInstanceOf(Array)
  })

  test('saved meanwhile by another administrator are a conflict that names the fields', async () => {
    const mine = await loadSettings()
    const theirs = await loadSettings()
    theirs.general.siteName = 'Theirs'
    expect((await saveSettings(theirs)).status).toBe(200)
    mine.security.loginAttempts = 3
    const reply = await saveSettings(mine)
    expect(reply).toMatchObject({ status: 409, body: { code: 'VERSION_CONFLICT' } })
    expect(reply.body.details).toMatchObject({
      version: 1,
      fields: [
        { name: 'general.siteName', saved: 'Theirs', yours: mine.general.siteName },
        { name: 'security.loginAttempts', saved: 5, yours: 3 },
      ],
    })
    expect((await loadSettings()).security.loginAttempts).toBe(5)
  })

  test('sabotaged twin: without the version, an older page overwrites newer settings', async () => {
    const { version: _forgotten, ...mine } = await loadSettings()
    const theirs = await loadSettings()
    theirs.general.siteName = 'Theirs'
    await saveSettings(theirs)
    expect((await saveSettings(mine)).status).toBe(200)
    expect((await loadSettings()).general.siteName).toBe('Cairn')
  })

  test('that are saved without a change cause no conflict', async () => {
    const mine = await loadSettings()
    mine.security.loginAttempts = 4
    expect((await saveSettings(mine)).status).toBe(200)
    expect((await saveSettings(mine)).status).toBe(200)
    expect((await loadSettings()).version).toBe(1)
  })

  test('of twenty concurrent saves of one version, one succeeds', async () => {
    const loaded = await loadSettings()
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        saveSettings({ ...loaded, general: { ...loaded.general, siteName: `Site ${index}` } }),
      ),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await loadSettings()).version).toBe(1)
  })

  test('are audited with the values before and after', async () => {
    const loaded = await loadSettings()
    loaded.security.loginAttempts = 7
    await saveSettings(loaded)
    const row = await gateway.db
      .selectFrom('platform.audit')
      .select('details')
      .where('action', '=', 'settings.save')
      .where('result', '=', 'success')
      .orderBy('recorded_at', 'desc')
      .executeTakeFirstOrThrow()
    expect(row.details).toEqual({
      changes: { 'security.loginAttempts': { before: 5, after: 7 } },
    })
  })

  test('are not saved if the ledger refuses its part', async () => {
    gateway.ledger.answerWith = () => ({ outcome: 'failed', code: 'OVERLOADED', message: 'full' })
    const loaded = await loadSettings()
    loaded.payment.depositFee = 2
    loaded.general.siteName = 'Half'
    expect((await saveSettings(loaded)).status).toBe(429)
    gateway.ledger.answerWith = () => null
    expect((await loadSettings()).general.siteName).toBe('Cairn')
  })

  test('keep the currency once money has moved', async () => {
    const { ask } = gateway.ledger
    const moved = { type: 'deposit', status: 'success', count: 1, amountMinor: 1n }
    const totals = { byKind: {}, transactions: [moved], investments: [], activeInvestors: 0 }
    // The cast is safe because only this query is replaced.
    gateway.ledger.ask = async (name, request) =>
      name === 'totals' ? ({ totals } as never) : await ask(name, request)
    const general = { ...DOCUMENTED.general, defaultCurrency: 'EUR' }
    const refused = await saveSettings({ ...DOCUMENTED, general })
    gateway.ledger.ask = ask
    expect(refused).toMatchObject({ status: 409, body: { code: 'CURRENCY_IN_USE' } })
    const refuse = (code: 'CURRENCY_FIXED' | 'CURRENCY_UNCHANGED') => {
      gateway.ledger.answerWith = ({ type }) =>
        type === 'ChooseCurrency' ? { outcome: 'refused', code, message: code, details: {} } : null
    }
    refuse('CURRENCY_FIXED')
    expect(await saveSettings({ ...DOCUMENTED, general })).toMatchObject({
      status: 409,
      body: { code: 'CURRENCY_IN_USE' },
    })
    // An earlier attempt has set the currency in the ledger but has not stored the settings.
    refuse('CURRENCY_UNCHANGED')
    expect((await saveSettings({ ...DOCUMENTED, general })).status).toBe(200)
    gateway.ledger.answerWith = () => null
    expect((await saveSettings(DOCUMENTED)).status).toBe(200)
    const chosen = gateway.ledger.commands.filter(({ type }) => type === 'ChooseCurrency')
    expect(chosen.at(-1)?.data).toEqual({ asset: 'USD/2' })
  })

  test('lock the caller out only after confirmation', async () => {
    const security = { ...DOCUMENTED.security, ipWhitelist: ['203.0.113.0/24'] }
    const reply = await saveSettings({ ...DOCUMENTED, security })
    expect(reply).toMatchObject({ status: 409, body: { code: 'LOCKOUT_RISK' } })
    expect(reply.body.message).toContain('127.0.0.1')
    const own = { ...security, ipWhitelist: ['203.0.113.0/24', '127.0.0.0/8'] }
    expect((await saveSettings({ ...DOCUMENTED, security: own })).status).toBe(200)
    const required = { ...own, twoFactorAuth: true }
    const mfa = await saveSettings({ ...DOCUMENTED, security: required })
    expect(mfa).toMatchObject({ status: 409, body: { code: 'MFA_NOT_ENROLLED' } })
    expect((await saveSettings({ ...DOCUMENTED, security: required, confirm: true })).status).toBe(
      200,
    )
    const next = await saveSettings(DOCUMENTED)
    expect(next).toMatchObject({ status: 403, body: { code: 'MFA_ENROLMENT_REQUIRED' } })
  })

  test('offer investors only the methods that are on', async () => {
    const option = {
      payOption: 'Mobile Wallet',
      bank: 'B',
      accountNumber: '1',
      displayStatus: true,
    }
    await send(gateway, admin, { method: 'POST', path: '/paymentOptions', body: option })
    const investor = await visit('investor')
    const countPaymentOptions = async () => {
      const reply = await send(gateway, investor, { method: 'GET', path: '/paymentOptions' })
      return (reply.body.data as unknown as { paymentOptions: unknown[] }).paymentOptions.length
    }
    expect(await countPaymentOptions()).toBe(1)
    expect((await saveSettings(DOCUMENTED)).status).toBe(200)
    expect(await countPaymentOptions()).toBe(0)
  })

  test('record no referral for users in countries without referrals', async () => {
    const { userId } = await visit('investor')
    const { account_id } = await gateway.db
      .selectFrom('identity.user')
      .select('account_id')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    const referrers: Record<string, string | null> = {}
    for (const country of ['GB', 'DE']) {
      const email = `${country.toLowerCase()}@example.com`
      const body = {
        name: 'Anna',
        gender: 'Female',
        phone: '+1 555 0100',
        email,
        country,
        password: 'a quite new passphrase',
        passwordConfirm: 'a quite new passphrase',
        firstAddress: '1 Example Street',
        refid: account_id,
      }
      await send(gateway, null, { method: 'POST', path: '/users/signup', body })
      const row = await gateway.db
        .selectFrom('identity.user')
        .select('referrer_id')
        .where('email', '=', email)
        .executeTakeFirstOrThrow()
      referrers[country] = row.referrer_id
    }
    expect(referrers).toEqual({ GB: null, DE: userId })
  })

  test('are available only to administrators', async () => {
    expect((await saveSettings(DOCUMENTED, await visit('investor'))).status).toBe(403)
    expect((await saveSettings(DOCUMENTED, await openVisit(gateway, admin.userId))).status).toBe(
      200,
    )
  })
})
