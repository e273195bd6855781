import { createHash } from 'node:crypto'
import { formatCanonicalRequest } from '@cairn/ledger-contracts'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { approveChange, getRequestedChange, readChange } from '../../../testing/change-requests.ts'
import { makeApprovers, setDualControl, setThreshold } from '../../../testing/dual-control.ts'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'
import { addUser, openVisit, type Reply, type Visitor } from '../../../testing/test-gateway.ts'
import { createChangeRegistry } from '../../change-kinds.ts'
import { finishChanges } from './execute.ts'

const HOUR_MS = 3_600_000
const note = 'a note of enough length'
const why = { reason: 'a reason of enough length' }
const reversed = { ...why, reverse: true }

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
  await makeApprovers(scene.gateway, [scene.admin.userId, scene.second.userId])
  await setThreshold(scene.gateway, 10_000n)
})
afterAll(() => scene?.gateway.stop())
// The ledger adds up the amounts that one administrator moves alone within 24 hours. Each test
// starts more than 24 hours after the previous test.
beforeEach(() => scene.gateway.moveAllClocks(26 * HOUR_MS))

const sendDecision = (who: Visitor, id: string, verb: 'approve' | 'decline', body: object = {}) =>
  scene.call(who, 'PATCH', `/transactions/${id}/action/${verb}`, body)
const formatReply = ({ status, body }: Reply) => `${status} ${body.code}`
const approveRequest = (asked: Reply, checker = scene.second) =>
  expectOk(approveChange(scene.gateway, checker, getRequestedChange(asked).id))
const readTotals = async () => (await scene.gateway.ledger.ask('totals', {})).totals.byKind
const readTransaction = async (replying: Promise<Reply>) =>
  (
    await expectOk<{ transaction: { status: string; amount: number; isApprovedOnce: boolean } }>(
      replying,
    )
  ).transaction

/** Returns true if the action leaves all balances unchanged. */
async function hasNoEffectOnBalances(doing: () => Promise<unknown>): Promise<boolean> {
  const before = await readTotals()
  await doing()
  return Object.entries(await readTotals()).every(([kind, minor]) => before[kind] === minor)
}

describe('a deposit from the threshold on', () => {
  test('stays pending after the first approval, until another administrator makes the same call', async () => {
    const { admin, second, stranger, deposit } = scene
    const id = await deposit(stranger, '1000.00')
    const alone = await hasNoEffectOnBalances(async () => {
      expect(await readTransaction(sendDecision(admin, id, 'approve'))).toMatchObject({
        status: 'pending',
        isApprovedOnce: true,
      })
      expect(formatReply(await sendDecision(admin, id, 'approve'))).toBe(
        '409 SECOND_APPROVER_NEEDED',
      )
      const other = await sendDecision(second, id, 'approve', { approvedAmount: '9000000' })
      expect(formatReply(other)).toBe('409 APPROVAL_DIFFERS')
      expect(other.body.message).toContain('$1,000')
    })
    expect(alone).toBe(true)
    const done = await readTransaction(
      sendDecision(second, id, 'approve', { approvedAmount: 1_000 }),
    )
    expect(done).toMatchObject({ status: 'success', amount: 1_000, isApprovedOnce: false })
  })

  test('the ledger states both approvals over the hash that it computed', async () => {
    const { admin, second, stranger, deposit, gateway } = scene
    const id = await deposit(stranger, '1000.00')
    await expectOk(sendDecision(admin, id, 'approve'))
    await expectOk(sendDecision(second, id, 'approve'))
    const { events } = await gateway.ledger.ask('transactionEvents', { transactionId: id })
    expect(events.at(-1)).toMatchObject({
      type: 'DepositApproved',
      actor: 'system:change-requests',
      control: {
        approvals: [{ approver: `admin:${admin.userId}` }, { approver: `admin:${second.userId}` }],
      },
    })
    const command = gateway.ledger.commands.findLast(({ type }) => type === 'ApproveDeposit')
    if (command === undefined) throw new Error('no command was sent')
    const hash = createHash('sha256').update(formatCanonicalRequest(command)).digest('hex')
    expect(command.approval?.commandSha256).toBe(hash)
    expect(command.key).toMatch(/^change:/)
  })

  test('a decline meanwhile makes the approval fail', async () => {
    const { admin, second, stranger, deposit } = scene
    const id = await deposit(stranger, '1000.00')
    await expectOk(sendDecision(admin, id, 'approve'))
    await expectOk(sendDecision(second, id, 'decline', why))
    type Listed = { changeRequests: { id: string }[] }
    const path = `/admin/approvals?target=${id}`
    const { changeRequests } = await expectOk<Listed>(scene.call(second, 'GET', path))
    const reply = await approveChange(scene.gateway, second, changeRequests[0]?.id ?? '')
    expect(formatReply(reply)).toBe('409 CHANGE_FAILED')
  })

  test('sabotaged twin: below the threshold one administrator approves alone', async () => {
    const { admin, stranger, deposit } = scene
    const id = await deposit(stranger, '99.99')
    expect(await readTransaction(sendDecision(admin, id, 'approve'))).toMatchObject({
      status: 'success',
    })
    // The ledger adds this small amount to the amounts that the administrator has moved before.
    const more = await deposit(stranger, '20.00')
    expect(await readTransaction(sendDecision(admin, more, 'approve'))).toMatchObject({
      status: 'pending',
    })
  })
})

test('a reversal becomes a request with its reason', async () => {
  const { admin, second, stranger, deposit } = scene
  const id = await deposit(stranger, '5000.00')
  await expectOk(sendDecision(admin, id, 'decline', why))
  expect(
    (await sendDecision(admin, id, 'approve', { reason: 'short', reverse: true })).status,
  ).toBe(400)
  const asked = await sendDecision(admin, id, 'approve', reversed)
  const alone = await hasNoEffectOnBalances(async () => {
    expect(formatReply(await sendDecision(second, id, 'approve', reversed))).toBe(
      '409 CHANGE_PENDING',
    )
  })
  expect(alone).toBe(true)
  await approveRequest(asked)
  expect(await readTransaction(scene.call(admin, 'GET', `/transactions/${id}`))).toMatchObject({
    status: 'success',
  })
  expect(getRequestedChange(await sendDecision(admin, id, 'decline', reversed)).kind).toBe(
    'deposit-reversal',
  )
})

describe('a wallet', () => {
  const fundWallet = (amount: number, more: object = why) =>
    scene.call(scene.admin, 'PATCH', `/users/${scene.investor.userId}/wallets`, {
      wallet_type: 'balance',
      amount,
      category: 'gift',
      ...more,
    })
  const adjustWallet = (amount: number) =>
    scene.call(scene.admin, 'POST', '/admin/adjustments', {
      user: scene.investor.userId,
      wallet_type: 'balance',
      amount,
      direction: 'credit',
      ...why,
    })

  test('is funded by two administrators from the threshold on, and by one below it', async () => {
    expect((await fundWallet(1_000, { reason: 'short' })).status).toBe(400)
    let asked: Reply | null = null
    expect(
      await hasNoEffectOnBalances(async () => {
        asked = await fundWallet(1_000)
      }),
    ).toBe(true)
    if (asked === null) throw new Error('nothing was asked')
    const { id } = getRequestedChange(asked)
    const { lines } = await readChange(scene.gateway, scene.second, id)
    expect(lines).toContainEqual({
      label: 'Amount',
      type: 'money',
      before: null,
      after: '1000.00',
    })
    const before = (await readTotals()).balance ?? 0n
    await approveRequest(asked)
    expect((await readTotals()).balance).toBe(before + 100_000n)
    const entry = await scene.gateway.db
      .selectFrom('platform.audit')
      .select('details')
      .where('request_id', '=', `change:${id}`)
      .executeTakeFirstOrThrow()
    expect(entry.details).toMatchObject({
      changes: { Amount: { type: 'money', before: null, after: '1000.00' } },
    })
    expect((await fundWallet(10)).status).toBe(200)
  })

  test('is corrected under the same rule, and a waiting correction is not repeated', async () => {
    const asked = await adjustWallet(500)
    expect(formatReply(await adjustWallet(700))).toBe('409 CHANGE_PENDING')
    await approveRequest(asked)
    const { adjustments } = await expectOk<{ adjustments: { amount: number; status: string }[] }>(
      scene.call(scene.admin, 'GET', '/admin/adjustments'),
    )
    expect(adjustments[0]).toMatchObject({ amount: 500, status: 'applied' })
    expect((await adjustWallet(1)).status).toBe(201)
  })

  test('of a person whom an administrator referred is not decided by that administrator', async () => {
    const { second, admin, investor, gateway } = scene
    const third = await openVisit(
      gateway,
      await addUser(gateway, { role: 'admin', status: 'active' }),
    )
    await makeApprovers(gateway, [third.userId])
    const setReferrer = (referrer_id: string | null) =>
      gateway.db
        .updateTable('identity.user')
        .set({ referrer_id })
        .where('id', '=', investor.userId)
        .execute()
    await setReferrer(second.userId)
    const asked = await fundWallet(2_000)
    const { id } = getRequestedChange(asked)
    expect(formatReply(await approveChange(gateway, second, id))).toBe('409 BENEFICIARY')
    await setReferrer(admin.userId)
    expect(formatReply(await adjustWallet(2_000))).toBe('409 BENEFICIARY')
    await setReferrer(null)
    await approveRequest(asked, third)
  })
})

test('the reserve is moved by two administrators from the threshold on', async () => {
  const { admin, call } = scene
  const postReserveMove = (path: string, body: object) => call(admin, 'POST', path, body)
  const before = (await readTotals()).reserve ?? 0n
  for (const given of [undefined, 'too short']) {
    const refused = await postReserveMove('/admin/reserve', { amount: 5_000, note: given })
    expect(refused.body.errors).toEqual([{ note: expect.stringContaining('at least 10') }])
  }
  const asked = await postReserveMove('/admin/reserve', { amount: 5_000, note })
  expect((await readTotals()).reserve).toBe(before)
  expect(formatReply(await postReserveMove('/admin/reserve', { amount: 6_000, note }))).toBe(
    '409 CHANGE_PENDING',
  )
  await approveRequest(asked)
  expect((await readTotals()).reserve).toBe(before + 500_000n)
  await approveRequest(await postReserveMove('/admin/reserve/withdraw', { amount: 3_000, note }))
  expect((await readTotals()).reserve).toBe(before + 200_000n)
  const sweep = await postReserveMove('/admin/reserve/sweep', { from: 'fees', amount: 3_000, note })
  expect(sweep.status).toBe(422)
})

test('an investment is ended by two administrators', async () => {
  const { admin, investor, call, planId } = scene
  await expectOk(
    call(admin, 'PATCH', `/users/${investor.userId}/wallets`, {
      wallet_type: 'balance',
      amount: 10,
      category: 'gift',
      ...why,
    }),
  )
  const opening = { plan: planId, amount: 300 }
  const { investment } = await expectOk<{ investment: { id: string } }>(
    call(investor, 'POST', '/users/me/investments', opening),
  )
  const path = `/investments/${investment.id}`
  const asked = await call(admin, 'PATCH', `${path}/status`, { status: 'denied', ...why })
  expect(getRequestedChange(asked).kind).toBe('investment-denial')
  await approveRequest(asked)
  expect(await expectOk(call(admin, 'GET', path))).toMatchObject({
    investment: { status: 'denied' },
  })
})

describe('a gateway that stops after the ledger has recorded the command', () => {
  test('sends the command again with the same key, and pays once', async () => {
    const { admin, second, gateway, call } = scene
    const before = (await readTotals()).reserve ?? 0n
    const asked = getRequestedChange(
      await call(admin, 'POST', '/admin/reserve', { amount: 400, note }),
    )
    const { ledger } = gateway
    // Simulates a gateway that stops after the ledger has recorded the command and before the
    // gateway stores the result.
    const registry = createChangeRegistry(gateway.deps)
    const submitted: string[] = []
    ledger.answerWith = (command) => {
      if (command.actor === 'system:change-requests') submitted.push(command.key ?? '')
      return null
    }
    const stopping = {
      ...registry,
      'reserve-funding': {
        ...registry['reserve-funding'],
        execute: async (change: Parameters<(typeof registry)['reserve-funding']['execute']>[0]) => {
          await registry['reserve-funding'].execute(change)
          throw new Error('the process stops here')
        },
      },
    }
    const { payloadSha256 } = await readChange(gateway, second, asked.id)
    const trx = gateway.db
    await trx
      .insertInto('platform.change_approval')
      .values({
        request_id: asked.id,
        approver_id: second.userId,
        approved_at: new Date(gateway.deps.clock.now()),
        payload_sha256: payloadSha256,
      })
      .execute()
    await trx
      .updateTable('platform.change_request')
      .set({ state: 'approved', decided_by: second.userId, decided_at: new Date() })
      .where('id', '=', asked.id)
      .execute()
    const log = pino({ level: 'silent' })
    const nowMs = gateway.deps.clock.now()
    await finishChanges({ ...gateway.deps, registry: stopping }, { nowMs, log })
    expect(await readChange(gateway, second, asked.id)).toMatchObject({ state: 'approved' })
    expect((await readTotals()).reserve).toBe(before + 40_000n)
    await finishChanges({ ...gateway.deps, registry }, { nowMs, log })
    ledger.answerWith = () => null
    expect(await readChange(gateway, second, asked.id)).toMatchObject({ state: 'executed' })
    expect(submitted).toEqual([`change:${asked.id}`, `change:${asked.id}`])
    expect((await readTotals()).reserve).toBe(before + 40_000n)
  })

  test('sabotaged twin: with another key the money moves twice', async () => {
    const { gateway, admin, second } = scene
    const before = (await readTotals()).reserve ?? 0n
    const submitReserveMove = async (key: string) => {
      const data = {
        transactionId: key.slice(-20).padStart(20, '0'),
        amountMinor: 500n,
        note: null,
      }
      const at = new Date(gateway.deps.clock.now()).toISOString()
      const command = { type: 'FundReserve', data, effectiveAt: null } as const
      const commandSha256 = createHash('sha256')
        .update(formatCanonicalRequest(command))
        .digest('hex')
      const approvals = [admin, second].map(({ userId }) => ({
        approver: `admin:${userId}`,
        approvedAt: at,
      }))
      await gateway.ledger.unrecorded.submit({
        ...command,
        actor: 'system:change-requests',
        key,
        requestId: null,
        approval: { commandSha256, approvals },
      })
    }
    await submitReserveMove('change:00000000000000000001')
    await submitReserveMove('change:00000000000000000002')
    expect((await readTotals()).reserve).toBe(before + 1_000n)
  })
})

test('an administrator who is not an approver in the ledger decides nothing', async () => {
  const { gateway, stranger, deposit } = scene
  const unknown = await openVisit(
    gateway,
    await addUser(gateway, { role: 'admin', status: 'active' }),
  )
  const id = await deposit(stranger, '20.00')
  expect(formatReply(await sendDecision(unknown, id, 'approve'))).toBe('403 NOT_AN_APPROVER')
  await setDualControl(gateway, 'required')
})
