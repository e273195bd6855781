import { createId } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { approveChange, getRequestedChange } from '../../../testing/change-requests.ts'
import { addApprover, makeApprovers, setThreshold } from '../../../testing/dual-control.ts'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'
import { addUser, openVisit, type Reply, type Visitor } from '../../../testing/test-gateway.ts'

// These tests cause the failures that the endpoints of guarded changes declare.

const HOUR_MS = 3_600_000
const note = 'a note of enough length'
const why = { reason: 'a reason of enough length' }
const reversed = { ...why, reverse: true }

let scene: Scene
let third: Visitor
/** An administrator who is not an approver in the ledger. */
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
const formatReply = ({ status, body }: Reply) => `${status} ${body.code}`
const createAct =
  (method: string, path: string, body?: object): Act =>
  (who) =>
    scene.call(who, method, path, body)

async function setReferrer(userId: string, referrer_id: string | null): Promise<void> {
  await scene.gateway.db
    .updateTable('identity.user')
    .set({ referrer_id })
    .where('id', '=', userId)
    .execute()
}

/** Returns the answers that the maker, another administrator and the beneficiary's referrer get. */
async function collectAnswers(act: Act, aboutUser: string | null): Promise<string[]> {
  const answers: string[] = []
  if (aboutUser !== null) {
    await setReferrer(aboutUser, scene.admin.userId)
    answers.push(formatReply(await act(scene.admin)))
    await setReferrer(aboutUser, null)
  }
  const asked = await act(scene.admin)
  answers.push(formatReply(asked), formatReply(await act(scene.second)))
  const { id } = getRequestedChange(asked)
  await expectOk(scene.call(scene.admin, 'POST', `/admin/approvals/${id}/withdraw`))
  return answers
}
const WAITS = ['409 CHANGE_REQUESTED', '409 CHANGE_PENDING']

describe('a change to a control', () => {
  test('waits for approval, and a second change is refused', async () => {
    const { paymentOptions } = await expectOk<{ paymentOptions: { id: string }[] }>(
      scene.call(scene.admin, 'GET', '/paymentOptions'),
    )
    const option = `/paymentOptions/${paymentOptions[0]?.id}`
    const person = { name: 'New Admin', email: 'new-admin@example.com' }
    const announcement = { kind: 'market-update', subject: 'News', text: 'The market is open.' }
    const acts: readonly Act[] = [
      createAct('PATCH', option, { accountNumber: '77' }),
      createAct('DELETE', option),
      createAct('PUT', '/admin/templates/welcome', { subject: 'Hi', body: 'Hello' }),
      createAct('POST', '/admin/announcements', announcement),
      createAct('POST', '/users/invite', person),
      createAct('PUT', '/admin/claims/support-hours', { hours: 'always' }),
      createAct('PATCH', `/plans/${scene.planId}`, { percentage: 20 }),
      createAct('POST', '/admin/reserve', { amount: 500, note }),
      createAct('POST', '/admin/reserve/withdraw', { amount: 200, note }),
    ]
    for (const act of acts) expect(await collectAnswers(act, null)).toEqual(WAITS)
  })

  test('to another administrator is also refused to the referrer', async () => {
    const acts: readonly Act[] = [
      createAct('PATCH', `/users/${target}/status`, { status: 'deactivate' }),
      createAct('DELETE', `/users/${target}`),
      createAct('POST', `/users/${target}/reset_mfa`, { proof: 'Seen with a passport' }),
      createAct('POST', `/users/${target}/force_reset`),
    ]
    for (const act of acts)
      expect(await collectAnswers(act, target)).toEqual(['409 BENEFICIARY', ...WAITS])
  })

  test('also waits if it restores a mail text or sweeps fees', async () => {
    const { admin, second, stranger, deposit, gateway } = scene
    const saving = await scene.call(admin, 'PUT', '/admin/templates/lockout', {
      subject: 'A',
      body: 'B {{ip}}',
    })
    await expectOk(approveChange(gateway, second, getRequestedChange(saving).id))
    expect(await collectAnswers(createAct('DELETE', '/admin/templates/lockout'), null)).toEqual(
      WAITS,
    )
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
    await expectOk(scene.call(admin, 'PATCH', `/transactions/${id}/action/approve`))
    await expectOk(scene.call(second, 'PATCH', `/transactions/${id}/action/approve`))
    const unexplained = createAct('POST', '/admin/reserve/sweep', { from: 'fees', amount: 400 })
    expect(formatReply(await unexplained(admin))).toBe('400 INVALID')
    const sweep = createAct('POST', '/admin/reserve/sweep', { from: 'fees', amount: 400, note })
    expect(await collectAnswers(sweep, null)).toEqual(WAITS)
  })
})

test('a payment to a person waits, and the referrer of the person may not approve it', async () => {
  const { investor, admin, second, stranger, deposit } = scene
  const gift = { wallet_type: 'balance', amount: 900, category: 'gift', ...why }
  const correction = { user: investor.userId, wallet_type: 'balance', direction: 'credit', ...why }
  const large = await expectOk<{ investment: { id: string } }>(
    scene.call(investor, 'POST', '/users/me/investments', { plan: scene.planId, amount: 200 }),
  )
  const declined = await deposit(stranger, '700.00')
  await expectOk(scene.call(admin, 'PATCH', `/transactions/${declined}/action/decline`, why))
  const approved = await deposit(stranger, '800.00')
  const path = `/transactions/${approved}/action`
  await expectOk(scene.call(admin, 'PATCH', `${path}/approve`))
  await expectOk(scene.call(second, 'PATCH', `${path}/approve`))
  const acts: readonly (readonly [Act, string])[] = [
    [createAct('PATCH', `/users/${investor.userId}/wallets`, gift), investor.userId],
    [createAct('POST', '/admin/adjustments', { ...correction, amount: 800 }), investor.userId],
    [
      createAct('PATCH', `/investments/${large.investment.id}/status`, {
        status: 'denied',
        ...why,
      }),
      investor.userId,
    ],
    [createAct('PATCH', `/transactions/${declined}/action/approve`, reversed), stranger.userId],
    [createAct('PATCH', `${path}/decline`, reversed), stranger.userId],
  ]
  for (const [act, person] of acts) {
    expect(await collectAnswers(act, person)).toEqual(['409 BENEFICIARY', ...WAITS])
  }
})

test('an administrator whom the ledger does not know as an approver decides nothing', async () => {
  const { investor, stranger, deposit, planId, investmentId } = scene
  const waiting = await deposit(stranger, '20.00')
  const credited = await deposit(stranger, '15.00')
  await expectOk(scene.call(scene.admin, 'PATCH', `/transactions/${credited}/action/approve`))
  const { settings } = await expectOk<{ settings: { payment: object; security: object } }>(
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
    createAct('PATCH', `/transactions/${waiting}/action/approve`),
    createAct('PATCH', `/transactions/${credited}/action/decline`, reversed),
    createAct('PATCH', `/users/${investor.userId}/wallets`, {
      wallet_type: 'balance',
      amount: 1,
      category: 'gift',
      ...why,
    }),
    createAct('POST', '/admin/adjustments', {
      user: investor.userId,
      wallet_type: 'balance',
      amount: 1,
      direction: 'credit',
      ...why,
    }),
    createAct('POST', '/admin/reserve', { amount: 1 }),
    createAct('POST', '/admin/reserve/withdraw', { amount: 1 }),
    createAct('PATCH', `/investments/${investmentId}/status`, { status: 'denied', ...why }),
    createAct('POST', '/plans', terms),
    createAct('PATCH', `/plans/${planId}`, { name: 'Another name' }),
    createAct('DELETE', `/plans/${planId}`),
    createAct('POST', '/admin/settings', { ...rest, payment }),
    createAct('POST', '/admin/ledger/signing-key/rotation', why),
    createAct('POST', '/admin/ledger/imports', { sha256: 'a'.repeat(64), ...why }),
  ]
  // The receipt makes the ledger sign for the first time. With its first signature, the ledger
  // stores its signing key, which one of the calls needs.
  await scene.gateway.ledger.ask('receipt', { seq: 0n })
  const answers: string[] = []
  for (const act of acts) answers.push(formatReply(await act(unknown)))
  expect(answers).toEqual(acts.map(() => '403 NOT_AN_APPROVER'))
  const fees = await deposit(stranger, '50.00')
  await expectOk(scene.call(scene.admin, 'PATCH', `/transactions/${fees}/action/approve`))
  const sweep = await createAct('POST', '/admin/reserve/sweep', { from: 'fees', amount: 1 })(
    unknown,
  )
  expect(formatReply(sweep)).toBe('403 NOT_AN_APPROVER')
  const asked = getRequestedChange(
    await createAct('POST', '/admin/reserve', { amount: 500, note })(scene.admin),
  )
  expect(formatReply(await approveChange(scene.gateway, unknown, asked.id))).toBe(
    '403 NOT_AN_APPROVER',
  )
  const reject = createAct('POST', `/admin/approvals/${asked.id}/reject`, { reason: 'No' })
  expect(formatReply(await reject(unknown))).toBe('403 NOT_AN_APPROVER')
  await expectOk(scene.call(scene.admin, 'POST', `/admin/approvals/${asked.id}/withdraw`))
  expect(formatReply(await reject(scene.second))).toBe('409 CHANGE_DECIDED')
})

describe('a second approval of a deposit', () => {
  const approveOnce = async (amount: string) => {
    const id = await scene.deposit(scene.stranger, amount)
    await expectOk(scene.call(scene.admin, 'PATCH', `/transactions/${id}/action/approve`))
    return createAct('PATCH', `/transactions/${id}/action/approve`)
  }

  test('is refused to a referrer and to a new approver', async () => {
    const { gateway, stranger, second } = scene
    const approve = await approveOnce('900.00')
    await setReferrer(stranger.userId, second.userId)
    expect(formatReply(await approve(second))).toBe('409 BENEFICIARY')
    await setReferrer(stranger.userId, null)
    const young = await addUser(gateway, { role: 'admin', status: 'active' })
    await addApprover(gateway, young)
    expect(formatReply(await approve(await openVisit(gateway, young)))).toBe('409 APPROVER_TOO_NEW')
    await expectOk(approve(second))
  })

  test('fails if its maker was deactivated, and after a week', async () => {
    const { gateway, admin, second } = scene
    const approve = await approveOnce('900.00')
    const setStatus = (status: 'active' | 'deactivated') =>
      gateway.db
        .updateTable('identity.user')
        .set({ status })
        .where('id', '=', admin.userId)
        .execute()
    await setStatus('deactivated')
    expect(formatReply(await approve(second))).toBe('409 CHANGE_FAILED')
    await setStatus('active')
    const late = await approveOnce('950.00')
    await gateway.moveAllClocks(8 * 24 * HOUR_MS)
    expect(formatReply(await late(second))).toBe('409 CHANGE_EXPIRED')
  })
})

test('a decision about an expired request is refused', async () => {
  const { admin, second, gateway } = scene
  for (const [verb, who, body] of [
    ['reject', second, { reason: 'Too late' }],
    ['withdraw', admin, undefined],
  ] as const) {
    const asked = getRequestedChange(
      await createAct('POST', '/admin/reserve', { amount: 500, note })(admin),
    )
    await gateway.moveAllClocks(8 * 24 * HOUR_MS)
    const reply = await scene.call(who, 'POST', `/admin/approvals/${asked.id}/${verb}`, body)
    expect(formatReply(reply)).toBe('409 CHANGE_EXPIRED')
  }
  const path = `/admin/approvals/${createId(Date.now())}`
  expect((await scene.call(second, 'GET', `${path}/file`)).status).toBe(404)
  const adding = { payOption: 'Bank Transfer', bank: 'Third Bank', accountNumber: '3' }
  expect(formatReply(await createAct('POST', '/paymentOptions', adding)(admin))).toBe(
    '409 CHANGE_REQUESTED',
  )
})
