import { newId } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { approveChange, requestedIn } from '../../../testing/change-requests.ts'
import { addApprover, makeApprovers, setThreshold } from '../../../testing/dual-control.ts'
import { ok, type Scene, startScene } from '../../../testing/scene.ts'
import { addUser, openVisit, type Reply, type Visitor } from '../../../testing/test-gateway.ts'

// Each act that may need two people answers with each failure that its declaration names.

const HOUR_MS = 3_600_000
const why = { reason: 'a reason of enough length' }
const reversed = { ...why, reverse: true }

let scene: Scene
let third: Visitor
/** An administrator whom the ledger does not know as an approver. */
let unknown: Visitor
let target: string
beforeAll(async () => {
  scene = await startScene()
  const { admin, second, gateway } = scene
  third = await openVisit(gateway, await addUser(gateway, { role: 'admin', status: 'active' }))
  target = await addUser(gateway, { role: 'admin', status: 'active' })
  await makeApprovers(gateway, [admin.userId, second.userId, third.userId, target])
  unknown = await openVisit(gateway, await addUser(gateway, { role: 'admin', status: 'active' }))
  await setThreshold(gateway, 10_000n)
  await gateway.db
    .updateTable('identity.user')
    .set({ mfa_enabled_at: new Date() })
    .where('id', '=', target)
    .execute()
})
afterAll(() => scene?.gateway.stop())
beforeEach(() => scene.gateway.moveAllClocks(26 * HOUR_MS))

type Act = (who: Visitor) => Promise<Reply>
const said = ({ status, body }: Reply) => `${status} ${body.code}`
const call =
  (method: string, path: string, body?: object): Act =>
  (who) =>
    scene.call(who, method, path, body)

async function refer(userId: string, referrer_id: string | null): Promise<void> {
  await scene.gateway.db
    .updateTable('identity.user')
    .set({ referrer_id })
    .where('id', '=', userId)
    .execute()
}

/** The answers to the act by the maker, by another administrator, and by a referrer. */
async function answersOf(act: Act, aboutUser: string | null): Promise<string[]> {
  const answers: string[] = []
  if (aboutUser !== null) {
    await refer(aboutUser, scene.admin.userId)
    answers.push(said(await act(scene.admin)))
    await refer(aboutUser, null)
  }
  const asked = await act(scene.admin)
  answers.push(said(asked), said(await act(scene.second)))
  const { id } = requestedIn(asked)
  await ok(scene.call(scene.admin, 'POST', `/admin/approvals/${id}/withdraw`))
  return answers
}
const WAITS = ['409 CHANGE_REQUESTED', '409 CHANGE_PENDING']

describe('a change of a control', () => {
  test('waits, and a second one is refused', async () => {
    const { paymentOptions } = await ok<{ paymentOptions: { id: string }[] }>(
      scene.call(scene.admin, 'GET', '/paymentOptions'),
    )
    const option = `/paymentOptions/${paymentOptions[0]?.id}`
    const person = { name: 'New Admin', email: 'new-admin@example.com' }
    const acts: readonly Act[] = [
      call('PATCH', option, { accountNumber: '77' }),
      call('DELETE', option),
      call('PUT', '/admin/templates/welcome', { subject: 'Hi', body: 'Hello' }),
      call('POST', '/users/invite', person),
      call('PUT', '/admin/claims/support-hours', { hours: 'always' }),
      call('PATCH', `/plans/${scene.planId}`, { percentage: 20 }),
      call('POST', '/admin/reserve', { amount: 500 }),
      call('POST', '/admin/reserve/withdraw', { amount: 200 }),
    ]
    for (const act of acts) expect(await answersOf(act, null)).toEqual(WAITS)
  })

  test('of another administrator is also refused to the referrer', async () => {
    const acts: readonly Act[] = [
      call('PATCH', `/users/${target}/status`, { status: 'deactivate' }),
      call('DELETE', `/users/${target}`),
      call('POST', `/users/${target}/reset_mfa`, { proof: 'Seen with a passport' }),
      call('POST', `/users/${target}/force_reset`),
    ]
    for (const act of acts)
      expect(await answersOf(act, target)).toEqual(['409 BENEFICIARY', ...WAITS])
  })

  test('of a restored mail and of swept fees too', async () => {
    const { admin, second, stranger, deposit, gateway } = scene
    const saving = await scene.call(admin, 'PUT', '/admin/templates/lockout', {
      subject: 'A',
      body: 'B {{ip}}',
    })
    await ok(approveChange(gateway, second, requestedIn(saving).id))
    expect(await answersOf(call('DELETE', '/admin/templates/lockout'), null)).toEqual(WAITS)
    const { version: _version, ...rules } = (await gateway.ledger.ask('rules', {})).rules
    await gateway.ledger.unrecorded.submit({
      type: 'SetMoneyRules',
      data: { rules: { ...rules, depositFeePpm: 100_000 } },
      actor: 'system:server',
      key: null,
      requestId: null,
      effectiveAt: null,
    })
    const id = await deposit(stranger, '5000.00')
    await ok(scene.call(admin, 'PATCH', `/transactions/${id}/action/approve`))
    await ok(scene.call(second, 'PATCH', `/transactions/${id}/action/approve`))
    const sweep = call('POST', '/admin/reserve/sweep', { from: 'fees', amount: 400 })
    expect(await answersOf(sweep, null)).toEqual(WAITS)
  })
})

test('money of a person waits, and is refused to the referrer', async () => {
  const { investor, admin, second, stranger, deposit } = scene
  const gift = { wallet_type: 'balance', amount: 900, category: 'gift', ...why }
  const correction = { user: investor.userId, wallet_type: 'balance', direction: 'credit', ...why }
  const large = await ok<{ investment: { id: string } }>(
    scene.call(investor, 'POST', '/users/me/investments', { plan: scene.planId, amount: 200 }),
  )
  const declined = await deposit(stranger, '700.00')
  await ok(scene.call(admin, 'PATCH', `/transactions/${declined}/action/decline`, why))
  const approved = await deposit(stranger, '800.00')
  const path = `/transactions/${approved}/action`
  await ok(scene.call(admin, 'PATCH', `${path}/approve`))
  await ok(scene.call(second, 'PATCH', `${path}/approve`))
  const acts: readonly (readonly [Act, string])[] = [
    [call('PATCH', `/users/${investor.userId}/wallets`, gift), investor.userId],
    [call('POST', '/admin/adjustments', { ...correction, amount: 800 }), investor.userId],
    [
      call('PATCH', `/investments/${large.investment.id}/status`, { status: 'denied', ...why }),
      investor.userId,
    ],
    [call('PATCH', `/transactions/${declined}/action/approve`, reversed), stranger.userId],
    [call('PATCH', `${path}/decline`, reversed), stranger.userId],
  ]
  for (const [act, person] of acts) {
    expect(await answersOf(act, person)).toEqual(['409 BENEFICIARY', ...WAITS])
  }
})

test('an administrator whom the ledger does not know as an approver decides nothing', async () => {
  const { investor, stranger, deposit, planId, investmentId } = scene
  const waiting = await deposit(stranger, '20.00')
  const credited = await deposit(stranger, '15.00')
  await ok(scene.call(scene.admin, 'PATCH', `/transactions/${credited}/action/approve`))
  const { settings } = await ok<{ settings: { payment: object; security: object } }>(
    scene.call(scene.admin, 'GET', '/admin/settings'),
  )
  const { version: _version, ...rest } = settings as unknown as { version: number }
  const payment = { ...settings.payment, depositFee: 1 }
  const terms = {
    name: 'Eleven days',
    planDuration: 11,
    timingParameter: 'days',
    minDeposit: 50,
    percentage: 10,
    returnPrincipal: true,
  }
  const acts: readonly Act[] = [
    call('PATCH', `/transactions/${waiting}/action/approve`),
    call('PATCH', `/transactions/${credited}/action/decline`, reversed),
    call('PATCH', `/users/${investor.userId}/wallets`, {
      wallet_type: 'balance',
      amount: 1,
      category: 'gift',
      ...why,
    }),
    call('POST', '/admin/adjustments', {
      user: investor.userId,
      wallet_type: 'balance',
      amount: 1,
      direction: 'credit',
      ...why,
    }),
    call('POST', '/admin/reserve', { amount: 1 }),
    call('POST', '/admin/reserve/withdraw', { amount: 1 }),
    call('PATCH', `/investments/${investmentId}/status`, { status: 'denied', ...why }),
    call('POST', '/plans', terms),
    call('PATCH', `/plans/${planId}`, { name: 'Another name' }),
    call('DELETE', `/plans/${planId}`),
    call('POST', '/admin/settings', { ...rest, payment }),
  ]
  const answers: string[] = []
  for (const act of acts) answers.push(said(await act(unknown)))
  expect(answers).toEqual(acts.map(() => '403 NOT_AN_APPROVER'))
  const fees = await deposit(stranger, '50.00')
  await ok(scene.call(scene.admin, 'PATCH', `/transactions/${fees}/action/approve`))
  const sweep = await call('POST', '/admin/reserve/sweep', { from: 'fees', amount: 1 })(unknown)
  expect(said(sweep)).toBe('403 NOT_AN_APPROVER')
  const asked = requestedIn(await call('POST', '/admin/reserve', { amount: 500 })(scene.admin))
  expect(said(await approveChange(scene.gateway, unknown, asked.id))).toBe('403 NOT_AN_APPROVER')
  const reject = call('POST', `/admin/approvals/${asked.id}/reject`, { reason: 'No' })
  expect(said(await reject(unknown))).toBe('403 NOT_AN_APPROVER')
  await ok(scene.call(scene.admin, 'POST', `/admin/approvals/${asked.id}/withdraw`))
  expect(said(await reject(scene.second))).toBe('409 CHANGE_DECIDED')
})

describe('a second approval of a deposit', () => {
  const firstApproval = async (amount: string) => {
    const id = await scene.deposit(scene.stranger, amount)
    await ok(scene.call(scene.admin, 'PATCH', `/transactions/${id}/action/approve`))
    return call('PATCH', `/transactions/${id}/action/approve`)
  }

  test('is refused to a referrer and to a new approver', async () => {
    const { gateway, stranger, second } = scene
    const approve = await firstApproval('900.00')
    await refer(stranger.userId, second.userId)
    expect(said(await approve(second))).toBe('409 BENEFICIARY')
    await refer(stranger.userId, null)
    const young = await addUser(gateway, { role: 'admin', status: 'active' })
    await addApprover(gateway, young)
    expect(said(await approve(await openVisit(gateway, young)))).toBe('409 APPROVER_TOO_NEW')
    await ok(approve(second))
  })

  test('fails if its maker was stopped, and after a week', async () => {
    const { gateway, admin, second } = scene
    const approve = await firstApproval('900.00')
    const setStatus = (status: 'active' | 'deactivated') =>
      gateway.db
        .updateTable('identity.user')
        .set({ status })
        .where('id', '=', admin.userId)
        .execute()
    await setStatus('deactivated')
    expect(said(await approve(second))).toBe('409 CHANGE_FAILED')
    await setStatus('active')
    const late = await firstApproval('950.00')
    await gateway.moveAllClocks(8 * 24 * HOUR_MS)
    expect(said(await late(second))).toBe('409 CHANGE_EXPIRED')
  })
})

test('a decision about an expired request is refused', async () => {
  const { admin, second, gateway } = scene
  for (const [verb, who, body] of [
    ['reject', second, { reason: 'Too late' }],
    ['withdraw', admin, undefined],
  ] as const) {
    const asked = requestedIn(await call('POST', '/admin/reserve', { amount: 500 })(admin))
    await gateway.moveAllClocks(8 * 24 * HOUR_MS)
    const reply = await scene.call(who, 'POST', `/admin/approvals/${asked.id}/${verb}`, body)
    expect(said(reply)).toBe('409 CHANGE_EXPIRED')
  }
  const path = `/admin/approvals/${newId(Date.now())}`
  expect((await scene.call(second, 'GET', `${path}/file`)).status).toBe(404)
  const adding = { payOption: 'Bank Transfer', bank: 'Third Bank', accountNumber: '3' }
  expect(said(await call('POST', '/paymentOptions', adding)(admin))).toBe('409 CHANGE_REQUESTED')
})
