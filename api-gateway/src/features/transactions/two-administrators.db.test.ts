import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { idOf, ok, type Scene, startScene } from '../../../testing/scene.ts'
import type { Reply, Visitor } from '../../../testing/test-gateway.ts'

// Regression tests: each of these gaps once let one administrator do alone what requires two.

const why = { reason: 'a reason' }
const turned = { ...why, reverse: true }

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())
beforeEach(() => setThreshold(10_000n))

async function setThreshold(approvalThresholdMinor: bigint | null): Promise<void> {
  const { version: _version, ...rules } = (await scene.gateway.ledger.ask('rules', {})).rules
  await scene.gateway.ledger.unrecorded.submit({
    type: 'SetMoneyRules',
    data: { rules: { ...rules, approvalThresholdMinor } },
    actor: 'system:test',
    key: null,
    requestId: null,
    effectiveAt: null,
  })
}

const act = (who: Visitor, id: string, verb: 'approve' | 'decline', body: object = {}) =>
  scene.call(who, 'PATCH', `/transactions/${id}/action/${verb}`, body)
const said = ({ status, body }: Reply) => `${status} ${body.code}: ${body.message}`
const statusOf = async (replying: Promise<Reply>) =>
  (await ok<{ transaction: { status: string; isApprovedOnce: boolean } }>(replying)).transaction
const totals = async () => (await scene.gateway.ledger.ask('totals', {})).totals.byKind

/** True if the act of one administrator left all balances unchanged. */
async function movesNothing(doing: () => Promise<unknown>): Promise<boolean> {
  const before = await totals()
  await doing()
  return Object.entries(await totals()).every(([kind, minor]) => before[kind] === minor)
}

describe('a reversal', () => {
  test('is not done by who declined, and not by the other one alone', async () => {
    const { admin, second, stranger, deposit } = scene
    const id = await deposit(stranger, '5000.00')
    await ok(act(admin, id, 'decline', why))
    const own = '409 SECOND_APPROVER_NEEDED: Another administrator has to reverse this decision'
    expect(said(await act(admin, id, 'approve', turned))).toBe(own)
    const alone = await movesNothing(async () => {
      const first = await statusOf(act(second, id, 'approve', turned))
      expect(first).toMatchObject({ status: 'declined', isApprovedOnce: true })
      const again = '409 SECOND_APPROVER_NEEDED: Another administrator has to approve this too'
      expect(said(await act(second, id, 'approve', turned))).toBe(again)
    })
    expect(alone).toBe(true)
    const { transactions } = await ok<{ transactions: object[] }>(
      scene.call(admin, 'GET', '/admin/first_approvals'),
    )
    expect(transactions).toMatchObject([{ transaction: { id }, canApprove: true }])
    expect(await statusOf(act(admin, id, 'approve', turned))).toMatchObject({ status: 'success' })
    const shown = await ok<{ timeline: { kind: string }[] }>(
      scene.call(admin, 'GET', `/transactions/${id}`),
    )
    const kinds = ['requested', 'declined', 'approved-once', 'reversed']
    expect(shown.timeline.map(({ kind }) => kind)).toEqual(kinds)
    expect(said(await act(admin, id, 'decline', turned))).toBe(own)
    await ok(act(second, id, 'decline', turned))
    const twice = await act(second, id, 'decline', turned)
    expect([twice.status, twice.body.code]).toEqual([409, 'SECOND_APPROVER_NEEDED'])
  })

  test('sabotaged twin: without a threshold one declines and credits', async () => {
    await setThreshold(null)
    const { admin, stranger, deposit } = scene
    const id = await deposit(stranger, '5000.00')
    await ok(act(admin, id, 'decline', why))
    expect(await statusOf(act(admin, id, 'approve', turned))).toMatchObject({ status: 'success' })
  })
})

test('a second approval is of the amount of the first', async () => {
  const { admin, second, stranger, deposit } = scene
  const id = await deposit(stranger, '1000.00')
  await ok(act(admin, id, 'approve'))
  const other = (amount: string) =>
    `409 APPROVAL_DIFFERS: The first approval was of ${amount}. Approve exactly that amount, or decline the request.`
  for (const approvedAmount of ['9000000', '50']) {
    expect(said(await act(second, id, 'approve', { approvedAmount }))).toBe(other('$1,000'))
  }
  expect(await statusOf(act(second, id, 'approve', { approvedAmount: 1_000 }))).toMatchObject({
    status: 'success',
    amount: 1_000,
  })
  const less = await deposit(stranger, '1000.00')
  await ok(act(admin, less, 'approve', { approvedAmount: 900 }))
  expect(said(await act(second, less, 'approve'))).toBe(other('$900'))
  const asked = await deposit(stranger, '50.00')
  const first = await statusOf(act(admin, asked, 'approve', { approvedAmount: 5_000 }))
  expect(first).toMatchObject({ status: 'pending', isApprovedOnce: true })
})

test('a large sum is not put into a wallet but proposed as an adjustment', async () => {
  const { admin, investor, call } = scene
  const gift = (amount: number) =>
    call(admin, 'PATCH', `/users/${investor.userId}/wallets`, {
      wallet_type: 'balance',
      amount,
      category: 'gift',
      ...why,
    })
  const refused = async () =>
    expect(said(await gift(1_000_000))).toBe(
      '409 SECOND_APPROVER_NEEDED: Two administrators have to agree on this amount. Propose an adjustment of the wallet instead.',
    )
  expect(await movesNothing(refused)).toBe(true)
  expect((await gift(99.99)).status).toBe(200)
})

describe('a movement of the reserve', () => {
  const withdraw = (who: Visitor, amount: number) =>
    scene.call(who, 'POST', '/admin/reserve/withdraw', { amount, note: 'rent' })
  const waitingId = async () => {
    const path = '/admin/first_approvals'
    type Approvals = { transactions: { transaction: { id: string; purpose: string } }[] }
    const { transactions } = await ok<Approvals>(scene.call(scene.admin, 'GET', path))
    return (
      transactions.find(({ transaction }) => transaction.purpose === 'reserve')?.transaction.id ??
      ''
    )
  }
  const recorded =
    /^409 SECOND_APPROVER_NEEDED: Recorded as \S+\. Another administrator has to approve it under Approvals\.$/

  test('out of it waits for another administrator, who moves it', async () => {
    const { admin, second, gateway } = scene
    expect(
      await movesNothing(async () => {
        expect(said(await withdraw(admin, 600))).toMatch(recorded)
        const own = await act(admin, await waitingId(), 'approve')
        expect([own.status, own.body.code]).toEqual([409, 'SECOND_APPROVER_NEEDED'])
      }),
    ).toBe(true)
    const before = await totals()
    const id = await waitingId()
    const other = await act(second, id, 'approve', { approvedAmount: 500 })
    expect(other.status).toBe(400)
    const done = await statusOf(act(second, id, 'approve'))
    expect(done).toMatchObject({ status: 'success', amount: 600 })
    expect((await totals()).reserve).toBe((before.reserve ?? 0n) - 60_000n)
    expect(said(await act(second, id, 'decline', turned))).toMatch(/^422 UNSUPPORTED/)
    const audited = await gateway.db
      .selectFrom('platform.audit')
      .select('actor_id')
      .where('action', '=', 'reserve.propose-withdrawal')
      .execute()
    expect(audited).toEqual([{ actor_id: admin.userId }])
    const notified = await gateway.db
      .selectFrom('platform.notification')
      .select('user_id')
      .where('link', '=', '/manage/admin/approvals')
      .where('title', 'like', 'A withdrawal from%')
      .execute()
    expect(notified.map(({ user_id }) => user_id)).toContain(second.userId)
  })

  test('is refused where the reserve has been spent, and can be rejected', async () => {
    const { admin, second, call } = scene
    await ok(call(admin, 'POST', '/admin/reserve', { amount: 1_000 }))
    const { reserve = 0n } = await totals()
    const all = Number(reserve / 100n)
    expect(said(await withdraw(admin, all))).toMatch(recorded)
    const id = await waitingId()
    await setThreshold(null)
    await ok(withdraw(admin, all))
    await setThreshold(10_000n)
    expect(said(await act(second, id, 'approve'))).toBe(
      '422 INSUFFICIENT_FUNDS: The reserve does not hold that much',
    )
    expect(await statusOf(act(second, id, 'decline', why))).toMatchObject({ status: 'declined' })
    expect(await waitingId()).toBe('')
  })

  test('from fees to it waits too', async () => {
    const { admin, second, stranger, deposit, gateway, call } = scene
    const { version: _version, ...rules } = (await gateway.ledger.ask('rules', {})).rules
    await gateway.ledger.unrecorded.submit({
      type: 'SetMoneyRules',
      data: { rules: { ...rules, depositFeePpm: 100_000 } },
      actor: 'system:test',
      key: null,
      requestId: null,
      effectiveAt: null,
    })
    const id = await deposit(stranger, '2000.00')
    await ok(act(admin, id, 'approve'))
    await ok(act(second, id, 'approve'))
    const sweep = { from: 'fees', amount: 200 }
    expect(said(await call(admin, 'POST', '/admin/reserve/sweep', sweep))).toMatch(recorded)
    const done = await statusOf(act(second, await waitingId(), 'approve'))
    expect(done).toMatchObject({ status: 'success', amount: 200 })
  })
})

test('a large investment is ended by two', async () => {
  const { admin, second, gateway, investor, planId, call } = scene
  const opening = { plan: planId, amount: 100 }
  const opened = await ok(call(investor, 'POST', '/users/me/investments', opening))
  const path = `/investments/${idOf(opened, 'investment')}/status`
  const deny = (who: Visitor) => call(who, 'PATCH', path, { status: 'denied', ...why })
  const alone = await movesNothing(async () => {
    expect(said(await deny(admin))).toBe(
      '409 SECOND_APPROVER_NEEDED: Recorded. Another administrator has to end this investment too.',
    )
    expect(said(await deny(admin))).toBe(
      '409 SECOND_APPROVER_NEEDED: Another administrator has to end this investment too',
    )
  })
  expect(alone).toBe(true)
  const audited = await gateway.db
    .selectFrom('platform.audit')
    .select('actor_id')
    .where('action', '=', 'investment.deny-first')
    .execute()
  expect(audited).toEqual([{ actor_id: admin.userId }])
  expect(await ok(deny(second))).toMatchObject({ investment: { status: 'denied' } })
})
