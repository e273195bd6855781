import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectOk, getId } from '../../../testing/scene.ts'
import { openBrowser, readMails, setSettings } from '../../../testing/test-browser.ts'
import {
  addUser,
  openVisit,
  send,
  startTestGateway,
  type TestGateway,
  type Visitor,
} from '../../../testing/test-gateway.ts'

const HOUR_MS = 3_600_000
const FORM = { bankName: 'B', accountNumber: '7', accountName: 'A', accountType: 'Others' }
const LIMITED =
  /^Several emails about your bank accounts were sent in the last hour\. .* minutes?\.$/

let gateway: TestGateway
const call = (visitor: Visitor, method: string, path: string, body?: object) =>
  send(gateway, visitor, { method, path: `/users/me/banks${path}`, ...(body && { body }) })
const add = async (visitor: Visitor) =>
  getId(await expectOk(call(visitor, 'POST', '', FORM)), 'account')

async function openInvestor(): Promise<Visitor> {
  return openVisit(gateway, await addUser(gateway, { role: 'user', status: 'active' }))
}

async function countMails({ userId }: Visitor, kind: string): Promise<number> {
  return (await readMails(gateway, userId)).filter((mail) => mail.kind === kind).length
}

describe('a thief of a session', () => {
  beforeAll(async () => {
    gateway = await startTestGateway({ alterDeps: (deps) => ({ ...deps, rateLimitScale: 1 }) })
    await setSettings(gateway, { security: { bankCoolingHours: 24 } })
  })
  afterAll(() => gateway?.stop())

  test('causes three mails an hour with accounts that are added and removed', async () => {
    const owner = await openInvestor()
    for (let round = 0; round < 3; round += 1) {
      expect((await call(owner, 'DELETE', `/${await add(owner)}`)).status).toBe(204)
    }
    const refused = await call(owner, 'POST', '', FORM)
    expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } })
    expect(refused.body.message).toMatch(LIMITED)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_500)
    expect(await countMails(owner, 'bank-code')).toBe(3)
    expect(await countMails(owner, 'bank-removed')).toBe(0)
    await expectOk(call(owner, 'GET', ''))

    gateway.moveClock(HOUR_MS)
    const later = await openVisit(gateway, owner.userId)
    await add(later)
  })

  test('does not use up the links with which the owner sets a new password', async () => {
    const owner = await openInvestor()
    for (let count = 0; count < 3; count += 1) await add(owner)
    const body = { email: `${owner.userId}@example.com` }
    await openBrowser(gateway).call('POST', '/users/forgot_password', body)
    await expect.poll(() => countMails(owner, 'password-reset')).toBe(1)
  })

  test('makes no code invalid by asking for more codes than are sent', async () => {
    const owner = await openInvestor()
    const path = `/${await add(owner)}`
    const resend = () =>
      expectOk<{ retryAfter: number; isSent: boolean }>(call(owner, 'POST', `${path}/resend_code`))
    for (let count = 0; count < 2; count += 1) {
      gateway.moveClock(61_000)
      expect(await resend()).toEqual({ retryAfter: 60, isSent: true })
    }
    gateway.moveClock(61_000)
    const refused = await resend()
    expect(refused.isSent).toBe(false)
    expect(refused.retryAfter).toBeGreaterThan(3_000)
    expect(await countMails(owner, 'bank-code')).toBe(3)
    const [newest] = await readMails(gateway, owner.userId)
    const { code } = newest?.content ?? {}
    expect((await call(owner, 'POST', `${path}/confirm`, { code })).status).toBe(200)
    await expectOk(call(owner, 'DELETE', path))
    expect(await countMails(owner, 'bank-removed')).toBe(1)
  })

  test('causes three mails an hour by changing the default account', async () => {
    const owner = await openInvestor()
    const [first, second] = [await add(owner), await add(owner)]
    for (const id of [second, first, second]) {
      await expectOk(call(owner, 'POST', `/${id}/default`))
    }
    const refused = await call(owner, 'POST', `/${first}/default`)
    expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } })
    expect(refused.body.message).toMatch(LIMITED)
    await expectOk(call(owner, 'POST', `/${second}/default`))
    expect(await countMails(owner, 'bank-default')).toBe(3)
  })

  test('causes three mails an hour if accounts need no code', async () => {
    await setSettings(gateway, { security: { bankCoolingHours: 0 } })
    const owner = await openInvestor()
    for (let count = 0; count < 3; count += 1) await add(owner)
    expect((await call(owner, 'POST', '', FORM)).status).toBe(429)
    expect(await countMails(owner, 'bank-confirmed')).toBe(3)
  })
})

describe('sabotaged twin, with limits a hundred times as wide', () => {
  beforeAll(async () => {
    gateway = await startTestGateway()
    await setSettings(gateway, { security: { bankCoolingHours: 24 } })
  })
  afterAll(() => gateway?.stop())

  test('a thief floods the mailbox', async () => {
    const owner = await openInvestor()
    for (let round = 0; round < 10; round += 1) {
      await call(owner, 'DELETE', `/${await add(owner)}`)
    }
    expect(await countMails(owner, 'bank-code')).toBe(10)
  })
})
