import { type AdminRole, maskNumber } from '@cairn/gateway-contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addUsableBankAccount } from '../../../testing/bank-accounts.ts'
import { getRequestedChange } from '../../../testing/change-requests.ts'
import { makeApprovers, setThreshold } from '../../../testing/dual-control.ts'
import { expectOk, getId, type Scene, startScene } from '../../../testing/scene.ts'
import { addUser, openVisit, type Visitor } from '../../../testing/test-gateway.ts'

const NUMBER = 'GB29NWBK60161331926819'
const PHONE = '+1 555 0100'
const ADDRESS = '1 Example Street'

/** The endpoints whose answers contain the account number of the investor. */
const WITH_NUMBER = [
  'GET /stats/admin',
  'GET /transactions',
  'GET /transactions.csv',
  'GET /transactions/:id',
  'GET /transactions/recent',
  'GET /users',
  'GET /users/:id',
  'GET /users/:id/banks.csv',
]

/** The endpoint that shows the values of a change request, for which support has no permission. */
const REQUEST = 'GET /admin/approvals/:id'
/** The endpoints whose answers contain the address of an invited administrator. */
const WITH_INVITED = ['GET /admin/approvals', 'GET /admin/approvals.csv', REQUEST]
/** The audit log names administrators by their addresses, for every role that reads it. */
const isAuditLog = (name: string) => name.startsWith('GET /admin/audit')
const INVITED = { name: 'Barnaby Rook', email: 'barnaby.rook@example.test' }

let scene: Scene
let withdrawalId: string
let requestIds: readonly string[]
beforeAll(async () => {
  scene = await startScene()
  const { investor, call } = scene
  const details = { bankName: 'NatWest', accountNumber: NUMBER, accountName: 'Ann Other' }
  const bankId = await addUsableBankAccount(scene, investor, details)
  const form = { type: 'withdrawal', amount: 50, pay_option: 'balance', bank_id: bankId }
  const path = '/users/me/transactions'
  withdrawalId = getId(await expectOk(call(investor, 'POST', path, form)), 'transaction')
  await expectOk(call(investor, 'POST', '/contact', createMessage()))
  requestIds = await requestChanges()
})
afterAll(() => scene?.gateway.stop())

/** Requests the approval of the withdrawal and an invitation. Returns the ids of the requests. */
async function requestChanges(): Promise<readonly string[]> {
  const { gateway, admin, second, call } = scene
  await makeApprovers(gateway, [admin.userId, second.userId])
  await setThreshold(gateway, 1_000n)
  await expectOk(call(admin, 'PATCH', `/transactions/${withdrawalId}/action/approve`))
  const { changeRequests } = await expectOk<{ changeRequests: { id: string }[] }>(
    call(admin, 'GET', `/admin/approvals?target=${withdrawalId}`),
  )
  const invitation = getRequestedChange(await call(admin, 'POST', '/users/invite', INVITED))
  return [...changeRequests.map(({ id }) => id), invitation.id]
}

const createMessage = () => ({
  name: 'Ann',
  email: getEmail(scene.investor),
  message: 'Where is my money, please?',
})
const getEmail = ({ userId }: Visitor) => `${userId}@example.com`

async function openVisitWith(...roles: readonly AdminRole[]): Promise<Visitor> {
  const { gateway } = scene
  return openVisit(gateway, await addUser(gateway, { role: 'admin', status: 'active', roles }))
}

/** Returns the bodies that this administrator gets from all GET endpoints, as text. */
async function readAll(visitor: Visitor): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>()
  for (const { endpoint } of scene.gateway.routes) {
    const isRead = endpoint.method === 'GET' && !endpoint.isUnsafeGet
    if (!isRead || endpoint.permission === null || endpoint.answers === 'stream') continue
    for (const id of [scene.investor.userId, withdrawalId, scene.investmentId, ...requestIds]) {
      const path = endpoint.path.replace(/:(\w+)/, id).replace(':seq', '1')
      const response = await fetch(`${scene.gateway.url}/api/v1${path}`, {
        headers: { cookie: visitor.cookie },
      })
      const name = `${endpoint.method} ${endpoint.path}`
      answers.set(name, (answers.get(name) ?? '') + (await response.text()))
    }
  }
  return answers
}

function findAnswers(answers: ReadonlyMap<string, string>, text: string): readonly string[] {
  return [...answers].filter(([, answer]) => answer.includes(text)).map(([name]) => name)
}

describe('the account number of an investor', () => {
  test('has only its last four characters in every answer to support', async () => {
    const answers = await readAll(await openVisitWith('support'))
    expect(findAnswers(answers, NUMBER)).toEqual([])
    expect(findAnswers(answers, '•••• 6819').toSorted()).toEqual(WITH_NUMBER)
  })

  test('sabotaged twin: with the permission the same answers have it in full', async () => {
    const answers = await readAll(await openVisitWith('finance'))
    expect(findAnswers(answers, NUMBER).toSorted()).toEqual([REQUEST, ...WITH_NUMBER])
  })

  test('is complete for its owner, and a short number is hidden completely', async () => {
    const own = await expectOk(scene.call(scene.investor, 'GET', '/users/me/banks'))
    expect(JSON.stringify(own)).toContain(NUMBER)
    expect(maskNumber('1234')).toBe('••••')
    expect(maskNumber('12345')).toBe('•••• 2345')
  })
})

describe('the contact data of people', () => {
  test('is in no answer to an auditor', async () => {
    const answers = await readAll(await openVisitWith('auditor'))
    for (const secret of [NUMBER, getEmail(scene.investor), PHONE, ADDRESS]) {
      expect(findAnswers(answers, secret)).toEqual([])
    }
    expect(answers.get('GET /users.csv')).toContain(`Person ${scene.investor.userId}`)
    expect(findAnswers(answers, INVITED.email).filter((name) => !isAuditLog(name))).toEqual([])
    expect(findAnswers(answers, 'b***@***').toSorted()).toEqual(WITH_INVITED)
    const name = `Person ${scene.investor.userId}`
    expect(answers.get(REQUEST)).toContain(`${name} (${getEmail(scene.investor)[0]}***@***)`)
    expect(answers.get(REQUEST)).toContain('Ann Other, •••• 6819, NatWest')
  })

  test('sabotaged twin: with the permission the same answers have it', async () => {
    const answers = await readAll(await openVisitWith('auditor', 'support'))
    expect(findAnswers(answers, getEmail(scene.investor))).toEqual(
      expect.arrayContaining(['GET /users', 'GET /users.csv', 'GET /transactions.csv', REQUEST]),
    )
    expect(findAnswers(answers, INVITED.email)).toEqual(expect.arrayContaining(WITH_INVITED))
    expect(findAnswers(answers, PHONE)).toEqual(
      expect.arrayContaining(['GET /users', 'GET /users/:id']),
    )
  })

  test('is complete for the auditor’s own account', async () => {
    const auditor = await openVisitWith('auditor')
    const { user } = await expectOk<{ user: { email: string } }>(
      scene.call(auditor, 'GET', '/users/me'),
    )
    expect(user.email).toBe(getEmail(auditor))
  })
})

describe('notes', () => {
  test('are for administrators with the permission', async () => {
    const text = 'Called about a late payment'
    const path = `/users/${scene.investor.userId}`
    const support = await openVisitWith('support')
    await expectOk(scene.call(support, 'POST', `${path}/notes`, { text }))
    expect(JSON.stringify(await expectOk(scene.call(support, 'GET', path)))).toContain(text)
    const finance = await openVisitWith('finance')
    expect(await expectOk(scene.call(finance, 'GET', path))).toMatchObject({ notes: [] })
  })
})
