import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectOk, getId, type Scene, startScene } from './scene.ts'
import { enrolTotp, logInNewBrowser, readMails, setSettings } from './test-browser.ts'
import { PASSWORD, send } from './test-gateway.ts'

// These tests call the endpoints that no other test calls, and cause each documented failure of
// these endpoints.
const AN_ID = '0123456789abcdefghjk'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())

test('POST /users/me/mfa/recovery_codes replaces all codes, for the password and a code', async () => {
  const { gateway, second } = scene
  const browser = await logInNewBrowser(gateway, `${second.userId}@example.com`)
  const { recoveryCodes: old, ...app } = await enrolTotp(gateway, browser)
  const renewCodes = (body: object) => browser.call('POST', '/users/me/mfa/recovery_codes', body)
  expect((await renewCodes({ password: 'not the password', code: app.getCode() })).status).toBe(400)
  const wrong = await renewCodes({ password: PASSWORD, code: app.getCode(40) })
  expect(wrong.failure.code).toBe('MFA_CODE_WRONG')
  const { body } = await renewCodes({ password: PASSWORD, code: app.getCode() })
  const { recoveryCodes } = body.data as unknown as { recoveryCodes: string[] }
  expect(recoveryCodes).toHaveLength(10)
  expect(recoveryCodes.filter((code) => old.includes(code))).toEqual([])
  const used = await browser.call('POST', '/users/me/step_up', { code: old[0] })
  expect(used.failure.code).toBe('MFA_CODE_WRONG')
  const fresh = await browser.call('POST', '/users/me/step_up', { code: recoveryCodes[0] })
  expect(fresh.status).toBe(204)
})

test('GET /paymentOptions/:id/image returns the image of an offered option only', async () => {
  const { gateway, admin, investor, upload, call } = scene
  const fields = {
    payOption: 'Crypto Wallet',
    bank: 'BTC',
    accountNumber: '1BitcoinEaterAddressDontSendf59kuE',
  }
  const request = { method: 'POST', path: '/paymentOptions', field: 'image' }
  const made = await expectOk(
    upload(admin, { ...request, fields: { ...fields, displayStatus: 'true' } }),
  )
  const id = getId(made, 'paymentOption')
  const path = `/paymentOptions/${id}/image`
  const shown = await fetch(`${gateway.url}/api/v1${path}`, {
    headers: { cookie: investor.cookie },
  })
  expect(shown.headers.get('content-type')).toBe('image/png')
  expect((await shown.arrayBuffer()).byteLength).toBeGreaterThan(50)
  await expectOk(call(admin, 'PATCH', `/paymentOptions/${id}`, { displayStatus: false }))
  expect((await call(investor, 'GET', path)).status).toBe(404)
  expect((await call(admin, 'GET', path)).status).toBe(200)
  expect((await call(admin, 'GET', `/paymentOptions/${AN_ID}/image`)).status).toBe(404)
})

test('PATCH /users/me/notifications/:id/read and /users/me/notifications/read mark own notifications', async () => {
  const { gateway, investor, stranger, call } = scene
  const ids = ['1', '2', '3'].map((digit) => `${AN_ID.slice(0, -1)}${digit}`)
  const createNotification = (id: string) => ({
    id,
    user_id: investor.userId,
    kind: 'security',
    source: id,
    title: id,
    body: '',
    link: null,
    created_at: new Date(),
  })
  await gateway.db.insertInto('platform.notification').values(ids.map(createNotification)).execute()
  const { meta } = await expectOk<{ meta: { unread: number } }>(
    call(investor, 'GET', '/users/me/notifications'),
  )
  expect(meta.unread).toBe(3)
  const one = `/users/me/notifications/${ids[0]}/read`
  expect(await expectOk(call(stranger, 'PATCH', one))).toEqual({ unread: 0 })
  expect(await expectOk(call(investor, 'PATCH', one))).toEqual({ unread: 2 })
  expect(await expectOk(call(investor, 'PATCH', '/users/me/notifications/read'))).toEqual({
    unread: 0,
  })
  expect((await call(investor, 'PATCH', '/users/me/notifications/none/read')).status).toBe(404)
})

test('POST /users/me/banks/:id/resend_code sends another code, which alone confirms', async () => {
  const { gateway, investor, stranger, call } = scene
  await setSettings(gateway, { security: { bankCoolingHours: 24 } })
  const account = { bankName: 'B', accountNumber: '7', accountName: 'A', accountType: 'Others' }
  const id = getId(await expectOk(call(investor, 'POST', '/users/me/banks', account)), 'account')
  const resend = `/users/me/banks/${id}/resend_code`
  const readBankCodes = async () => {
    const mails = await readMails(gateway, investor.userId)
    return mails.filter(({ kind }) => kind === 'bank-code').map(({ content }) => content.code)
  }
  await expectOk(call(investor, 'POST', resend))
  expect(await readBankCodes()).toHaveLength(1)
  gateway.moveClock(61_000)
  expect(await expectOk(call(investor, 'POST', resend))).toEqual({ retryAfter: 60, isSent: true })
  const [second, first] = await readBankCodes()
  const confirmAccount = (code = '') =>
    call(investor, 'POST', `/users/me/banks/${id}/confirm`, { code })
  expect((await call(stranger, 'POST', resend)).status).toBe(404)
  if (first !== second) expect((await confirmAccount(first)).body.code).toBe('CODE_WRONG')
  const confirmations = await Promise.all([confirmAccount(second), confirmAccount(second)])
  for (const { status } of confirmations) expect(status).toBe(200)
  const cooling = { account: { status: 'cooling' } }
  expect(await expectOk(confirmAccount(second))).toMatchObject(cooling)
  const mails = await readMails(gateway, investor.userId)
  const confirmed = mails.filter(({ kind }) => kind === 'bank-confirmed')
  expect(confirmed).toMatchObject([{ content: { bankName: 'B', accountNumber: '••••' } }])
  expect(confirmed[0]?.content.usableFrom).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/)
  expect(await expectOk(call(investor, 'POST', resend))).toEqual({ retryAfter: 0, isSent: false })
  await setSettings(gateway, {})
})

test('POST /users/me/investments/:id/cancel works for the owner within the cooling-off period', async () => {
  const { gateway, investor, stranger, call, planId, investmentId } = scene
  const late = await call(investor, 'POST', `/users/me/investments/${investmentId}/cancel`)
  expect(late).toMatchObject({ status: 409, body: { code: expect.any(String) } })
  const { rules } = await gateway.ledger.ask('rules', {})
  await gateway.ledger.submit({
    type: 'SetMoneyRules',
    data: { rules: { ...rules, coolingOffHours: 24 } },
    actor: 'system:test',
    key: null,
    requestId: null,
    effectiveAt: null,
  })
  const opening = { plan: planId, amount: 60 }
  const id = getId(
    await expectOk(call(investor, 'POST', '/users/me/investments', opening)),
    'investment',
  )
  const path = `/users/me/investments/${id}/cancel`
  expect((await call(stranger, 'POST', path)).status).toBe(404)
  expect(await expectOk(call(investor, 'POST', path))).toMatchObject({
    investment: { status: 'denied' },
  })
  const { stats } = await expectOk(call(investor, 'GET', '/stats/users'))
  expect(stats).toMatchObject({ wallet: { balance: 400 } })
  expect((await call(investor, 'POST', path)).status).toBe(409)
})

test('POST /admin/reserve/withdraw and /admin/reserve/sweep move money once for each key', async () => {
  const { gateway, admin, call } = scene
  const readReserve = async () =>
    (await expectOk<{ reserve: object }>(call(admin, 'GET', '/admin/reserve'))).reserve
  const before = await readReserve()
  const key = { 'idempotency-key': 'a-withdrawal-of-the-reserve' }
  const withdrawReserve = () =>
    send(gateway, admin, {
      method: 'POST',
      path: '/admin/reserve/withdraw',
      body: { amount: 100, note: 'to the bank' },
      headers: key,
    })
  const [first, again] = [await withdrawReserve(), await withdrawReserve()]
  expect([first.status, again.status]).toEqual([201, 201])
  expect(again.body).toEqual(first.body)
  expect(await readReserve()).not.toEqual(before)
  expect((await call(admin, 'POST', '/admin/reserve/withdraw', { amount: 0 })).status).toBe(400)
  const nothing = await call(admin, 'POST', '/admin/reserve/sweep', { from: 'fees', amount: 10 })
  expect(nothing.status).toBe(422)
  const unknown = await call(admin, 'POST', '/admin/reserve/sweep', { from: 'cash', amount: 10 })
  expect(unknown.status).toBe(400)
})

test('GET /admin/claims lists every claim with its rule', async () => {
  const { claims } = await expectOk<{ claims: { key: string; state: string }[] }>(
    scene.call(scene.admin, 'GET', '/admin/claims'),
  )
  expect(claims.map(({ key }) => key)).toContain('support-hours')
})

test('GET /users lists the bank accounts of each user', async () => {
  const { admin, investor, call } = scene
  const bank = { bankName: 'B', accountNumber: '12345678', accountName: 'A', accountType: 'Others' }
  await expectOk(call(investor, 'POST', '/users/me/banks', bank))
  const { users } = await expectOk<{ users: { id: string; bankAccounts: object[] }[] }>(
    call(admin, 'GET', '/users'),
  )
  const found = users.find(({ id }) => id === investor.userId)
  expect(found?.bankAccounts.at(-1)).toMatchObject({ bankName: 'B', accountNumber: '12345678' })
  expect(users.find(({ id }) => id === admin.userId)?.bankAccounts).toEqual([])
})
