import { MONEY_REQUESTS_USED } from '@cairn/gateway-contracts'
import { createId } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fund, record, TEN_DAY_TERMS } from '../../../testing/further-ledger.ts'
import {
  addUser,
  openVisit,
  type Reply,
  send,
  startTestGateway,
  type TestGateway,
  type Visitor,
} from '../../../testing/test-gateway.ts'
import { createSharedRateLimiter } from './shared-rate-limit.ts'

const MAX = 4
const PATHS = { investments: '/users/me/investments', transactions: '/users/me/transactions' }

let gateway: TestGateway
let planId: string

beforeAll(async () => {
  gateway = await startTestGateway({
    alterDeps: (deps) => ({
      ...deps,
      sharedRates: createSharedRateLimiter({ db: deps.db, scale: MAX / 200 }),
    }),
  })
  planId = createId(Date.now())
  await record(gateway.ledger.unrecorded, 'DefinePlan', { planId, terms: TEN_DAY_TERMS })
})
afterAll(() => gateway?.stop())

async function openFundedVisit(): Promise<Visitor> {
  const investorId = await addUser(gateway, { role: 'user', status: 'active' })
  await fund(gateway.ledger.unrecorded, { investorId, amountMinor: 100_000n })
  return openVisit(gateway, investorId)
}

function invest(visitor: Visitor, key: string): Promise<Reply> {
  const headers = { 'idempotency-key': key }
  const body = { plan: planId, amount: '10.00' }
  return send(gateway, visitor, { method: 'POST', path: PATHS.investments, body, headers })
}

function deposit(visitor: Visitor): Promise<Reply> {
  const form = new FormData()
  const fields = { type: 'deposit', amount: '10.00', pay_option: 'Bank Transfer' }
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('receipt', new Blob(['a receipt']), 'receipt.png')
  return send(gateway, visitor, { method: 'POST', path: PATHS.transactions, form })
}

function withdraw(visitor: Visitor): Promise<Reply> {
  const body = { type: 'withdrawal', amount: '20.00', pay_option: 'balance', bank_id: planId }
  return send(gateway, visitor, { method: 'POST', path: PATHS.transactions, body })
}

async function useUp(visitor: Visitor): Promise<void> {
  for (let nth = 0; nth < MAX; nth += 1) {
    expect((await invest(visitor, `key-${nth}`)).status).toBe(201)
  }
}

/** Forgets the answer of the request, as if the gateway had stopped before it was stored. */
async function loseAnswer(visitor: Visitor, key: string): Promise<void> {
  await gateway.db
    .updateTable('platform.keyed_request')
    .set({ status: null, body: null })
    .where('user_id', '=', visitor.userId)
    .where('key', '=', key)
    .execute()
}

test('deposits, withdrawals and investments of a day have one limit for each investor', async () => {
  const [investor, other] = [await openFundedVisit(), await openFundedVisit()]
  await useUp(investor)
  for (const reply of [
    await invest(investor, 'another'),
    await deposit(investor),
    await withdraw(investor),
  ]) {
    const { status, body, headers } = reply
    expect([status, body.code]).toEqual([429, MONEY_REQUESTS_USED.code])
    expect(body.message).toMatch(/ from \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/)
    const seconds = Number(headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(80_000)
    expect(seconds).toBeLessThanOrEqual(86_400)
  }
  expect((await invest(other, 'another')).status).toBe(201)
})

test('the repetition of a recorded request is neither counted nor refused', async () => {
  const investor = await openFundedVisit()
  const first = await invest(investor, 'first')
  for (let nth = 0; nth < MAX; nth += 1)
    expect(await invest(investor, 'first')).toEqual(
      expect.objectContaining({ status: 201, body: first.body }),
    )
  for (let nth = 1; nth < MAX; nth += 1) await invest(investor, `key-${nth}`)
  expect((await invest(investor, 'another')).status).toBe(429)
  await loseAnswer(investor, 'first')
  expect((await invest(investor, 'first')).body).toEqual(first.body)
})

test('the repetition of a refused request is counted', async () => {
  const investor = await openFundedVisit()
  await useUp(investor)
  const statuses: number[] = []
  for (let nth = 0; nth < 3; nth += 1) statuses.push((await invest(investor, 'late')).status)
  expect(statuses).toEqual([429, 429, 429])
})

test('sabotaged twin: if requests are not counted, one more is accepted', async () => {
  const investor = await openFundedVisit()
  await useUp(investor)
  const { deps } = gateway
  const { sharedRates } = deps
  deps.sharedRates = { ...sharedRates, takeMoneyRequest: async () => {} }
  try {
    expect((await invest(investor, 'another')).status).toBe(201)
  } finally {
    deps.sharedRates = sharedRates
  }
})
