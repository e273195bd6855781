import type { ChangeDetail } from '@cairn/gateway-contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getRequestedChange } from '../../../testing/change-requests.ts'
import { makeApprovers, setDualControl } from '../../../testing/dual-control.ts'
import {
  logIn,
  logInNewBrowser,
  openBrowser,
  readMails,
  visit,
} from '../../../testing/test-browser.ts'
import { addUser, startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'

const NEW_PASSWORD = 'a hill that nobody climbed'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway?.stop())

const logInAdmin = async () => logInNewBrowser(gateway, (await visit(gateway, 'admin')).email)
type Admin = Awaited<ReturnType<typeof logInAdmin>>

async function inviteAdmin(by: Admin, email: string) {
  const reply = await by.call('POST', '/users/invite', { name: 'New Admin', email })
  expect(reply.status).toBe(201)
  return (reply.body.data as unknown as { user: { id: string; status: string } }).user
}

async function findId(email: string): Promise<string | undefined> {
  const row = await gateway.db
    .selectFrom('identity.user')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst()
  return row?.id
}

async function readLink(userId: string): Promise<string | undefined> {
  const mails = await readMails(gateway, userId)
  return mails.find(({ kind }) => kind === 'admin-invited')?.content.path?.split('token=')[1]
}

async function setPasswordAndLogIn(email: string, token: string | undefined) {
  const body = { token, password: NEW_PASSWORD, passwordConfirm: NEW_PASSWORD }
  const set = await openBrowser(gateway).call('POST', '/users/reset_password', body)
  expect(set.status).toBe(204)
  const browser = openBrowser(gateway)
  await logIn(browser, email, NEW_PASSWORD)
  return (await browser.call('GET', '/users')).status
}

describe('an invited administrator', () => {
  test('sets a password by the mailed link where one administrator decides alone', async () => {
    await setDualControl(gateway, 'single')
    const email = 'first-invited@example.com'
    const by = await logInAdmin()
    const auditor = await addUser(gateway, { role: 'admin', status: 'active', roles: ['auditor'] })
    const user = await inviteAdmin(by, email)
    expect(user.status).toBe('active')
    // The notification reaches every role, so it has no data that a role sees masked.
    const notified = await gateway.db
      .selectFrom('platform.notification')
      .select(['title', 'body'])
      .where('user_id', '=', auditor)
      .executeTakeFirstOrThrow()
    expect(notified.title).toContain('New Admin')
    expect(notified.body).not.toContain(email)
    expect(await setPasswordAndLogIn(email, await readLink(user.id))).toBe(200)
    const again = await by.call('POST', '/users/invite', { name: 'Twice', email })
    expect(again).toMatchObject({ status: 400 })
    expect(JSON.stringify(again.body)).toContain('already registered')
  })

  test('exists only after the approval of another administrator where two decide', async () => {
    const email = 'own-second-account@example.com'
    const [one, second] = [await visit(gateway, 'admin'), await visit(gateway, 'admin')]
    await makeApprovers(gateway, [one.userId, second.userId])
    await setDualControl(gateway, 'required')
    const [by, other] = [
      await logInNewBrowser(gateway, one.email),
      await logInNewBrowser(gateway, second.email),
    ]
    const asked = await by.call('POST', '/users/invite', { name: 'New Admin', email })
    const { id } = getRequestedChange(asked)
    // The inviting administrator owns the mailbox and requests a link before the change is
    // approved.
    await openBrowser(gateway).call('POST', '/users/forgot_password', { email })
    expect(await findId(email)).toBeUndefined()
    const decide = async (who: Admin) => {
      const shown = await who.call('GET', `/admin/approvals/${id}`)
      const { changeRequest } = shown.body.data as unknown as { changeRequest: ChangeDetail }
      const { payloadSha256 } = changeRequest
      return who.call('POST', `/admin/approvals/${id}/approve`, { payloadSha256 })
    }
    expect(await decide(by)).toMatchObject({
      status: 409,
      failure: { code: 'SECOND_APPROVER_NEEDED' },
    })
    expect((await decide(other)).status).toBe(200)
    const userId = (await findId(email)) ?? ''
    expect(await setPasswordAndLogIn(email, await readLink(userId))).toBe(200)
    // The ledger has the approvals of the two administrators who invited the new administrator. The
    // new administrator may approve only after a day.
    const { events } = await gateway.ledger.events({ after: -1n, waitSeconds: 0, limit: 1_000 })
    const added = events.findLast(({ type }) => type === 'ApproverAdded')
    expect(added).toMatchObject({
      actor: 'system:change-requests',
      data: { approverId: userId },
      control: {
        approvals: [{ approver: `admin:${one.userId}` }, { approver: `admin:${second.userId}` }],
      },
    })
  })

  test('sabotaged twin: where one decides alone, an own second account is in at once', async () => {
    await setDualControl(gateway, 'single')
    const email = 'second-of-one@example.com'
    const user = await inviteAdmin(await logInAdmin(), email)
    expect(await setPasswordAndLogIn(email, await readLink(user.id))).toBe(200)
  })
})
