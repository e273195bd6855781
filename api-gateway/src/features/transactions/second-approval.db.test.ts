import { approveTransaction, type ChangeDetail, type Transaction } from '@cairn/gateway-contracts'
import { refusals } from '@cairn/ledger-contracts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addUsableBankAccount } from '../../../testing/bank-accounts.ts'
import { approveChange, getRequestedChange, readChange } from '../../../testing/change-requests.ts'
import { makeApprovers, setThreshold } from '../../../testing/dual-control.ts'
import { expectOk, getId, type Scene, startScene } from '../../../testing/scene.ts'
import { addUser, openVisit, type Reply, type Visitor } from '../../../testing/test-gateway.ts'
import type { Route } from '../../platform/http/registry.ts'

const HOUR_MS = 3_600_000

let scene: Scene
let third: Visitor
let bankId: string
let otherOption: string
beforeAll(async () => {
  scene = await startScene()
  const { admin, second, investor, gateway, call } = scene
  bankId = await addUsableBankAccount(scene, investor, { accountNumber: '1234' })
  const option = { payOption: 'Bank Transfer', bank: 'Other Bank', accountNumber: '2' }
  const hidden = { ...option, displayStatus: false }
  otherOption = getId(
    await expectOk(call(admin, 'POST', '/paymentOptions', hidden)),
    'paymentOption',
  )
  third = await openVisit(gateway, await addUser(gateway, { role: 'admin', status: 'active' }))
  await makeApprovers(gateway, [admin.userId, second.userId, third.userId])
  await setThreshold(gateway, 2_000n)
})
afterAll(() => scene?.gateway.stop())
// The ledger adds up the amounts that one administrator moves alone within 24 hours.
beforeEach(() => scene.gateway.moveAllClocks(26 * HOUR_MS))

const sendApproval = (who: Visitor, id: string, body: object = {}) =>
  scene.call(who, 'PATCH', `/transactions/${id}/action/approve`, body)
const formatReply = ({ status, body }: Reply) => `${status} ${body.code}: ${body.message}`

async function findOpenRequest(target: string): Promise<ChangeDetail> {
  const path = `/admin/approvals?state=open&target=${target}`
  const { changeRequests } = await expectOk<{ changeRequests: ChangeDetail[] }>(
    scene.call(scene.admin, 'GET', path),
  )
  const [request] = changeRequests
  if (request === undefined) throw new Error('no change request is open')
  return request
}

async function requestWithdrawal(): Promise<string> {
  const form = { type: 'withdrawal', amount: 20, pay_option: 'balance', bank_id: bankId }
  const asked = scene.call(scene.investor, 'POST', '/users/me/transactions', form)
  return getId(await expectOk(asked), 'transaction')
}

async function readLines(target: string): Promise<Record<string, string | null>> {
  return await readLinesOf((await findOpenRequest(target)).id)
}

async function readLinesOf(id: string): Promise<Record<string, string | null>> {
  const { lines } = await readChange(scene.gateway, scene.second, id)
  return Object.fromEntries(lines.map(({ label, after }) => [label, after]))
}

const suffix = 'Leave this field out, or reject the first approval on the page Approvals.'
const namesOther = (details: string) =>
  `409 APPROVAL_DIFFERS: The first approval has ${details}. ${suffix}`

describe('the second approval of a withdrawal', () => {
  test('carries out the first one, although it leaves out the reference and the account', async () => {
    const { admin, second } = scene
    const id = await requestWithdrawal()
    const first = { payoutReference: 'BATCH-7', payoutOption: otherOption }
    await expectOk(sendApproval(admin, id, first))
    expect(await readLines(id)).toMatchObject({
      'Paid from': 'Other Bank, 2',
      'Payout reference': 'BATCH-7',
    })
    expect(await expectOk(sendApproval(second, id))).toMatchObject({
      transaction: { status: 'success', payoutReference: 'BATCH-7' },
    })
    expect(await expectOk(scene.call(admin, 'GET', `/transactions/${id}`))).toMatchObject({
      paidFrom: { bank: 'Other Bank', accountNumber: '2' },
    })
  })

  test('is refused with the detail that differs, and made with the same details', async () => {
    const { admin, second, gateway } = scene
    const id = await requestWithdrawal()
    await expectOk(sendApproval(admin, id, { payoutReference: 'BATCH-7' }))
    const { length } = gateway.ledger.commands
    expect(formatReply(await sendApproval(second, id, { payoutReference: 'BATCH-8' }))).toBe(
      namesOther('the payout reference BATCH-7'),
    )
    expect(formatReply(await sendApproval(second, id, { payoutOption: otherOption }))).toBe(
      namesOther('the account Example Bank, 1'),
    )
    expect(gateway.ledger.commands).toHaveLength(length)
    await expectOk(sendApproval(second, id, { payoutReference: 'BATCH-7' }))
    const unnamed = await requestWithdrawal()
    await expectOk(sendApproval(admin, unnamed))
    expect(formatReply(await sendApproval(second, unnamed, { payoutReference: 'A' }))).toBe(
      namesOther('no payout reference'),
    )
  })

  test('is refused if the bank account has changed since the first one', async () => {
    const { admin, second, gateway } = scene
    const id = await requestWithdrawal()
    await expectOk(sendApproval(admin, id))
    const setAccountNumber = (account_number: string) =>
      gateway.db
        .updateTable('platform.bank_account')
        .set({ account_number })
        .where('id', '=', bankId)
        .execute()
    await setAccountNumber('6666')
    expect(formatReply(await sendApproval(second, id))).toMatch('409 BANK_ACCOUNT_CHANGED')
    // Sabotaged twin: with the original number, nothing refuses the approval.
    await setAccountNumber('1234')
    await expectOk(sendApproval(second, id))
  })

  test.each([
    ['changed', { account_number: '6666' }],
    ['removed', { archived_at: new Date(0) }],
  ])(
    'on the page Approvals pays nothing to an account that was %s meanwhile',
    async (_, change) => {
      const { admin, second, gateway } = scene
      const id = await requestWithdrawal()
      await expectOk(sendApproval(admin, id))
      const request = await findOpenRequest(id)
      const setAccount = (values: { account_number?: string; archived_at?: Date | null }) =>
        gateway.db
          .updateTable('platform.bank_account')
          .set(values)
          .where('id', '=', bankId)
          .execute()
      await setAccount(change)
      const { length } = gateway.ledger.commands
      expect(formatReply(await approveChange(gateway, second, request.id))).toBe(
        `409 CHANGE_FAILED: ${refusals.bankAccountChanged[1]}`,
      )
      expect(await readChange(gateway, second, request.id)).toMatchObject({ state: 'failed' })
      expect(gateway.ledger.commands).toHaveLength(length)
      await setAccount({ account_number: '1234', archived_at: null })
      expect(await expectOk(scene.call(admin, 'GET', `/transactions/${id}`))).toMatchObject({
        transaction: { status: 'pending' },
      })
      await expectOk(
        scene.call(admin, 'PATCH', `/transactions/${id}/action/decline`, { reason: 'r' }),
      )
    },
  )
})

describe('the second approval of a deposit', () => {
  test('is booked to the account of the first one, or refused with its name', async () => {
    const { admin, second, stranger, deposit } = scene
    const id = await deposit(stranger, '500.00')
    await expectOk(sendApproval(admin, id, { payoutOption: otherOption }))
    expect(await readLines(id)).toMatchObject({ 'Paid to': 'Other Bank, 2' })
    const { paymentOptions } = await expectOk<{ paymentOptions: { id: string; bank: string }[] }>(
      scene.call(admin, 'GET', '/paymentOptions'),
    )
    const usual = paymentOptions.find(({ bank }) => bank === 'Example Bank')?.id
    expect(formatReply(await sendApproval(second, id, { payoutOption: usual }))).toBe(
      namesOther('the account Other Bank, 2'),
    )
    await expectOk(sendApproval(second, id))
    const { transaction } = await scene.gateway.ledger.ask('transaction', { transactionId: id })
    expect(transaction?.paymentOptionId).toBe(otherOption)
    // The account of the deposit is the same, whether the first approval names it or not.
    const plain = await deposit(stranger, '500.00')
    await expectOk(sendApproval(admin, plain))
    expect(await readLines(plain)).toMatchObject({ 'Paid to': 'Example Bank, 1' })
    await expectOk(sendApproval(second, plain, { payoutOption: usual }))
  })

  test('is booked to the treasury if two accounts match and the first one names none', async () => {
    const { admin, second, stranger, deposit, gateway } = scene
    const setVisible = (is_visible: boolean) =>
      gateway.db
        .updateTable('platform.payment_option')
        .set({ is_visible })
        .where('id', '=', otherOption)
        .execute()
    await setVisible(true)
    const id = await deposit(stranger, '500.00')
    await setVisible(false)
    await expectOk(sendApproval(admin, id))
    const request = (await findOpenRequest(id)).id
    expect(await readLinesOf(request)).toMatchObject({ 'Paid to': 'Treasury' })
    await expectOk(sendApproval(second, id))
    expect(await readLinesOf(request)).toMatchObject({ 'Paid to': 'Treasury' })
  })

  test('states another amount than the requested one itself', async () => {
    const { admin, second, stranger, deposit } = scene
    const id = await deposit(stranger, '500.00')
    await expectOk(sendApproval(admin, id, { approvedAmount: 400 }))
    expect(formatReply(await sendApproval(second, id))).toBe(
      '409 APPROVAL_DIFFERS: The first approval was for $400. Approve exactly that amount, or decline the request.',
    )
    expect(await expectOk(sendApproval(second, id, { approvedAmount: 400 }))).toMatchObject({
      transaction: { status: 'success', amount: 400 },
    })
  })
})

describe('its sabotaged twin, which takes the amount of the first approval as stated', () => {
  let twin: Scene
  let secondId: string | null = null
  beforeAll(async () => {
    const alterRoute = (route: Route): Route => ({
      ...route,
      handle: async (request, exchange) => {
        if (route.endpoint === approveTransaction && exchange.caller?.userId === secondId)
          Object.assign((request as { body: object }).body, { approvedAmount: 90_000_000n })
        return await route.handle(request, exchange)
      },
    })
    twin = await startScene({}, { alterRoute })
    secondId = twin.second.userId
    await makeApprovers(twin.gateway, [twin.admin.userId, twin.second.userId])
    await setThreshold(twin.gateway, 10_000n)
  })
  afterAll(() => twin?.gateway.stop())

  test('credits an amount that the second administrator has not seen', async () => {
    const { admin, second, stranger, deposit, call } = twin
    const path = `/transactions/${await deposit(stranger, '500.00')}/action/approve`
    await expectOk(call(admin, 'PATCH', path, { approvedAmount: 900_000 }))
    expect(await expectOk(call(second, 'PATCH', path))).toMatchObject({
      transaction: { status: 'success', amount: 900_000 },
    })
  })
})

test('a declined deposit waits for its reversal, not for its second approval', async () => {
  const { admin, second, stranger, deposit, gateway, call } = scene
  const id = await deposit(stranger, '500.00')
  const path = `/transactions/${id}/action`
  const readWaiting = async () => {
    const one = await expectOk<{ transaction: Transaction }>(
      call(second, 'GET', `/transactions/${id}`),
    )
    const { transactions } = await expectOk<{ transactions: Transaction[] }>(
      call(second, 'GET', `/transactions?user=${stranger.userId}&limit=100`),
    )
    const listed = transactions.find((each) => each.id === id)
    expect(listed?.isApprovedOnce).toBe(one.transaction.isApprovedOnce)
    return `${one.transaction.status} ${one.transaction.isApprovedOnce}`
  }
  await expectOk(sendApproval(admin, id))
  expect(await readWaiting()).toBe('pending true')
  const why = { reason: 'a reason of enough length' }
  await expectOk(call(second, 'PATCH', `${path}/decline`, why))
  expect(await readWaiting()).toBe('declined false')
  const asked = await sendApproval(admin, id, { ...why, reverse: true })
  expect(await readWaiting()).toBe('declined true')
  await expectOk(approveChange(gateway, second, getRequestedChange(asked).id))
  expect(await readWaiting()).toBe('success false')
})

describe('a change request that another administrator has decided', () => {
  test('is answered as approved while the ledger does not answer its command', async () => {
    const { admin, second, stranger, deposit, gateway } = scene
    const id = await deposit(stranger, '1000.00')
    await expectOk(sendApproval(admin, id))
    gateway.ledger.answerWith = ({ actor }) =>
      actor === 'system:change-requests'
        ? { outcome: 'failed', code: 'UNAVAILABLE', message: 'stopped' }
        : null
    expect((await sendApproval(second, id)).status).toBe(503)
    expect(await expectOk(scene.call(third, 'GET', `/transactions/${id}`))).toMatchObject({
      transaction: { status: 'pending', isApprovedOnce: true },
    })
    expect(await findOpenRequest(id)).toMatchObject({ canDecide: false, blockedBecause: null })
    const decided = '409 CHANGE_DECIDED: This change request is already approved'
    expect(formatReply(await sendApproval(third, id))).toBe(decided)
    expect(formatReply(await sendApproval(admin, id))).toBe(decided)
    // The second approver repeats the approval, which carries out the request.
    gateway.ledger.answerWith = () => null
    expect(await expectOk(sendApproval(second, id))).toMatchObject({
      transaction: { status: 'success' },
    })
    await expectOk(sendApproval(third, id))
  })

  test('is read again if it was withdrawn after it was read', async () => {
    const { admin, second, stranger, deposit, gateway } = scene
    const id = await deposit(stranger, '1000.00')
    await expectOk(sendApproval(admin, id))
    const { id: request } = await findOpenRequest(id)
    const approving = await gateway.db.transaction().execute(async (trx) => {
      await trx
        .updateTable('platform.change_request')
        .set({ state: 'withdrawn', decided_by: admin.userId, decided_at: new Date() })
        .where('id', '=', request)
        .execute()
      const reply = sendApproval(second, id)
      await expect.poll(countWaitingForLock).toBe(1)
      // The promise is in an object, because the approval ends only after this transaction.
      return { reply }
    })
    expect(await expectOk(approving.reply)).toMatchObject({
      transaction: { status: 'pending', isApprovedOnce: true },
    })
    expect(await findOpenRequest(id)).toMatchObject({ createdBy: { id: second.userId } })
  })
})

async function countWaitingForLock(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(scene.gateway.db)
  return rows[0]?.count ?? 0
}
