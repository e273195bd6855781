import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { arrive, logIn, openBrowser, readMails, visit } from '../../../testing/test-browser.ts'
import { startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'

const NEW_PASSWORD = 'a hill that nobody climbed'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway?.stop())

async function setThreshold(approvalThresholdMinor: bigint | null): Promise<void> {
  const { version: _version, ...rules } = (await gateway.ledger.ask('rules', {})).rules
  await gateway.ledger.unrecorded.submit({
    type: 'SetMoneyRules',
    data: { rules: { ...rules, approvalThresholdMinor } },
    actor: 'system:test',
    key: null,
    requestId: null,
    effectiveAt: null,
  })
}

const admin = async () => arrive(gateway, (await visit(gateway, 'admin')).email)
type Admin = Awaited<ReturnType<typeof admin>>

async function invite(by: Admin, email: string) {
  const reply = await by.call('POST', '/users/invite', { name: 'New Admin', email })
  expect(reply.status).toBe(201)
  return (reply.body.data as unknown as { user: { id: string; status: string } }).user
}

async function linkOf(userId: string): Promise<string | undefined> {
  const mails = await readMails(gateway, userId)
  return mails.find(({ kind }) => kind === 'admin-invited')?.content.path?.split('token=')[1]
}

async function enter(email: string, token: string | undefined) {
  const body = { token, password: NEW_PASSWORD, passwordConfirm: NEW_PASSWORD }
  const set = await openBrowser(gateway).call('POST', '/users/reset_password', body)
  expect(set.status).toBe(204)
  const browser = openBrowser(gateway)
  await logIn(browser, email, NEW_PASSWORD)
  return (await browser.call('GET', '/users')).status
}

describe('an invited administrator', () => {
  test('sets a password by the mailed link where one administrator decides alone', async () => {
    await setThreshold(null)
    const email = 'first-invited@example.com'
    const by = await admin()
    const user = await invite(by, email)
    expect(user.status).toBe('active')
    expect(await enter(email, await linkOf(user.id))).toBe(200)
    const again = await by.call('POST', '/users/invite', { name: 'Twice', email })
    expect(again).toMatchObject({ status: 400 })
    expect(JSON.stringify(again.body)).toContain('already registered')
  })

  test('needs the approval of another administrator where two decide', async () => {
    await setThreshold(100_000n)
    const email = 'own-second-account@example.com'
    const [by, other] = [await admin(), await admin()]
    const user = await invite(by, email)
    expect(user.status).toBe('pending')
    expect(await linkOf(user.id)).toBeUndefined()
    const approve = (who: Admin) =>
      who.call('PATCH', `/users/${user.id}/status`, { status: 'approve' })
    expect(await approve(by)).toMatchObject({
      status: 409,
      failure: { code: 'SECOND_APPROVER_NEEDED' },
    })
    // A bypass of the link: the mailbox belongs to the inviter. Without an approval it has no
    // effect.
    await openBrowser(gateway).call('POST', '/users/forgot_password', { email })
    const mailed = async () =>
      (await readMails(gateway, user.id))
        .find(({ kind }) => kind === 'password-reset')
        ?.content.path?.split('token=')[1]
    await expect.poll(mailed).toBeDefined()
    expect(await enter(email, await mailed())).toBe(403)
    expect((await approve(other)).status).toBe(200)
    expect(await enter(email, await linkOf(user.id))).toBe(200)
  })

  test('is not let in by the inviter after a denial', async () => {
    await setThreshold(100_000n)
    const [by, other] = [await admin(), await admin()]
    const user = await invite(by, 'denied-and-back@example.com')
    const change = (who: Admin, status: string) =>
      who.call('PATCH', `/users/${user.id}/status`, { status })
    expect((await change(by, 'deny')).status).toBe(200)
    expect(await change(by, 'active')).toMatchObject({
      status: 409,
      failure: { code: 'SECOND_APPROVER_NEEDED' },
    })
    expect((await change(other, 'active')).status).toBe(200)
  })

  test('sabotaged twin: where one decides alone, an own second account is in at once', async () => {
    await setThreshold(null)
    const email = 'second-of-one@example.com'
    const user = await invite(await admin(), email)
    expect(await enter(email, await linkOf(user.id))).toBe(200)
  })
})
