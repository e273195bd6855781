import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addUsableBankAccount } from '../../../testing/bank-accounts.ts'
import { expectOk, getId, type Scene, startScene } from '../../../testing/scene.ts'
import { type Reply, send, type Visitor } from '../../../testing/test-gateway.ts'
import type { Route } from '../../platform/http/registry.ts'

interface Call {
  visitor: Visitor
  path: string
  body?: object
  form?: FormData
}

let scene: Scene
let bankId: string

async function openScene(alterRoute: (route: Route) => Route = (route) => route): Promise<void> {
  scene = await startScene({}, { alterRoute })
  bankId = await addUsableBankAccount(scene, scene.investor)
}

const sendWithKey = ({ visitor, ...request }: Call, key: string) =>
  send(scene.gateway, visitor, { method: 'POST', headers: { 'idempotency-key': key }, ...request })

/** Sends the request while the ledger records its command and the answer is lost. */
async function loseAnswer(request: Call, key: string): Promise<void> {
  const { ledger } = scene.gateway
  const sent: Promise<unknown>[] = []
  ledger.answerWith = (command) => {
    sent.push(ledger.unrecorded.submit(command))
    return { outcome: 'failed', code: 'UNAVAILABLE', message: 'the answer was lost' }
  }
  const { status } = await sendWithKey(request, key)
  ledger.answerWith = () => null
  await Promise.all(sent)
  expect({ status, sent: sent.length }).toEqual({ status: 503, sent: 1 })
}

const withdraw = (): Call => ({
  visitor: scene.investor,
  path: '/users/me/transactions',
  body: { type: 'withdrawal', amount: 20, pay_option: 'balance', bank_id: bankId },
})
const payOut = (): Call => ({
  visitor: scene.admin,
  path: `/users/${scene.investor.userId}/payouts`,
  body: {
    wallet_type: 'balance',
    amount: 5,
    bank_id: bankId,
    reason: 'The investor asked for the balance by letter',
  },
})
function deposit(more: Readonly<Record<string, string>> = {}): Call {
  const form = new FormData()
  const fields = { type: 'deposit', amount: '40.00', pay_option: 'Bank Transfer', ...more }
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  const picture = new Blob([new Uint8Array(scene.picture)], { type: 'image/png' })
  form.set('receipt', picture, 'picture.png')
  return { visitor: scene.investor, path: '/users/me/transactions', form }
}

/** Issues the reference for the next deposit. Returns the fields of a deposit with it. */
async function issueReference() {
  const { gateway, investor, call } = scene
  const { id } = await gateway.db
    .selectFrom('platform.payment_option')
    .select('id')
    .executeTakeFirstOrThrow()
  const issuing = call(investor, 'POST', '/users/me/deposit_reference', { payment_option_id: id })
  const { reference } = await expectOk<{ reference: string }>(issuing)
  return { payment_option_id: id, reference }
}

async function countTransactions(): Promise<number> {
  const path = `/transactions?user=${scene.investor.userId}`
  const { meta } = await expectOk<{ meta: { total: number } }>(scene.call(scene.admin, 'GET', path))
  return meta.total
}

/** Changes what a withdrawal and a payout check before their command is sent. */
async function preventWithdrawals(): Promise<void> {
  const { db } = scene.gateway
  await db
    .updateTable('identity.user')
    .set({ credential_hold_until: new Date('2099-01-01') })
    .where('id', '=', scene.investor.userId)
    .execute()
  await db
    .updateTable('platform.bank_account')
    .set({ archived_at: new Date(), is_default: false })
    .where('id', '=', bankId)
    .execute()
}
async function permitWithdrawals(): Promise<void> {
  const { db } = scene.gateway
  await db.updateTable('identity.user').set({ credential_hold_until: null }).execute()
  await db.updateTable('platform.bank_account').set({ archived_at: null }).execute()
}

const showPaymentOptions = (is_visible: boolean) =>
  scene.gateway.db.updateTable('platform.payment_option').set({ is_visible }).execute()
const hidePaymentOptions = () => showPaymentOptions(false)

/** Repeats a request whose answer was lost, after a change because of which it would be refused. */
async function repeat(
  create: () => Call,
  { key, change }: { key: string; change: () => Promise<unknown> },
): Promise<{ reply: Reply; recorded: number }> {
  const before = await countTransactions()
  await loseAnswer(create(), key)
  await change()
  const reply = await sendWithKey(create(), key)
  return { reply, recorded: (await countTransactions()) - before }
}

describe('a request whose answer was lost', () => {
  beforeAll(() => openScene())
  afterAll(() => scene?.gateway.stop())

  test('for a withdrawal gets the recorded one, although it would now be refused', async () => {
    const change = preventWithdrawals
    const { reply, recorded } = await repeat(withdraw, { key: 'withdrawal', change })
    expect(reply.status).toBe(201)
    expect(recorded).toBe(1)
    const id = getId(reply.body.data ?? {}, 'transaction')
    const stored = await sendWithKey(withdraw(), 'withdrawal')
    expect(getId(stored.body.data ?? {}, 'transaction')).toBe(id)
    expect(await sendWithKey(withdraw(), 'another-key')).toMatchObject({
      status: 403,
      body: { code: 'CREDENTIAL_HOLD' },
    })
    await permitWithdrawals()
  })

  test('for a withdrawal that was not recorded is checked again', async () => {
    const { ledger } = scene.gateway
    ledger.answerWith = () => ({ outcome: 'failed', code: 'UNAVAILABLE', message: 'stopped' })
    expect((await sendWithKey(withdraw(), 'not-recorded')).status).toBe(503)
    ledger.answerWith = () => null
    await preventWithdrawals()
    expect(await sendWithKey(withdraw(), 'not-recorded')).toMatchObject({
      status: 403,
      body: { code: 'CREDENTIAL_HOLD' },
    })
    await permitWithdrawals()
  })

  test('for a deposit gets the recorded one, although it would now be refused', async () => {
    const change = hidePaymentOptions
    const { reply, recorded } = await repeat(deposit, { key: 'deposit', change })
    expect(reply.status).toBe(201)
    expect(recorded).toBe(1)
    expect((await sendWithKey(deposit(), 'another-deposit')).status).toBe(400)
    await showPaymentOptions(true)
  })

  test('for a deposit with a reference gets the recorded one, and the next reference is new', async () => {
    const issued = await issueReference()
    const create = () => deposit(issued)
    const change = hidePaymentOptions
    const { reply, recorded } = await repeat(create, { key: 'referenced', change })
    expect(reply.status).toBe(201)
    expect(reply.body.data).toMatchObject({ transaction: { reference: issued.reference } })
    expect(recorded).toBe(1)
    await showPaymentOptions(true)
    expect((await issueReference()).reference).not.toBe(issued.reference)
  })

  test('gets no deposit that another key recorded with the same reference', async () => {
    const issued = await issueReference()
    expect((await sendWithKey(deposit(issued), 'first-key')).status).toBe(201)
    const other = { ...issued, amount: '41.00' }
    for (const _attempt of ['refused', 'repeated']) {
      expect(await sendWithKey(deposit(other), 'second-key')).toMatchObject({
        status: 409,
        body: { code: 'REFERENCE_USED' },
      })
    }
    // Another payment of the same amount has another receipt.
    const { picture } = scene
    scene.picture = await sharp(picture).negate().png().toBuffer()
    for (const _attempt of ['refused', 'repeated']) {
      expect((await sendWithKey(deposit(issued), 'third-key')).status).toBe(409)
    }
    scene.picture = picture
  })

  test('for a payout gets the recorded one, although it would now be refused', async () => {
    const path = `/users/${scene.investor.userId}/status`
    await expectOk(scene.call(scene.admin, 'PATCH', path, { status: 'deactivate' }))
    const change = preventWithdrawals
    const { reply, recorded } = await repeat(payOut, { key: 'payout', change })
    expect(reply.status).toBe(201)
    expect(recorded).toBe(1)
  })
})

describe('its sabotaged twin, which takes no request for a repetition', () => {
  beforeAll(() =>
    openScene((route) => ({
      ...route,
      handle: (request, exchange) =>
        route.handle(request, Object.assign(exchange, { isRepetition: false })),
    })),
  )
  afterAll(() => scene?.gateway.stop())

  test('refuses a recorded deposit with a reference, and a second one is recorded', async () => {
    const issued = await issueReference()
    const change = hidePaymentOptions
    const create = () => deposit(issued)
    const { reply, recorded } = await repeat(create, { key: 'referenced', change })
    expect({ status: reply.status, recorded }).toEqual({ status: 400, recorded: 1 })
    await showPaymentOptions(true)
    expect((await sendWithKey(deposit(), 'another-deposit')).status).toBe(201)
  })

  test('refuses a recorded withdrawal, and a second one is recorded', async () => {
    const change = preventWithdrawals
    const { reply, recorded } = await repeat(withdraw, { key: 'withdrawal', change })
    expect(reply).toMatchObject({ status: 403, body: { code: 'CREDENTIAL_HOLD' } })
    expect(recorded).toBe(1)
    await permitWithdrawals()
    expect((await sendWithKey(withdraw(), 'another-key')).status).toBe(201)
    expect(await countTransactions()).toBeGreaterThan(1)
  })
})
