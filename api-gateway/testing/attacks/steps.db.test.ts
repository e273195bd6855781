import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '../../src/platform/http/registry.ts'
import { expectOk, getId, type Scene, startScene } from '../scene.ts'
import { addUser, openVisit, type Reply, type Visitor } from '../test-gateway.ts'

/**
 * Test data that also contain a user who is not approved, a plan that is not on offer, and bank
 * accounts.
 */
interface Place extends Scene {
  pending: Visitor
  /**
   * The bank account of the investor in the test data. `foreignBankId` is the bank account of a
   * second user.
   */
  bankId: string
  foreignBankId: string
  hiddenPlanId: string
}

async function startAttackScene(
  alterRoute: (route: Route) => Route = (route) => route,
): Promise<Place> {
  const scene = await startScene({}, { alterRoute })
  const { gateway, call, admin, stranger, investor } = scene
  const id = await addUser(gateway, { role: 'user', status: 'pending' })
  const pending = await openVisit(gateway, id)
  const addBank = async (visitor: Visitor, accountNumber: string) => {
    const account = { bankName: 'B', accountNumber, accountName: 'A', accountType: 'Others' }
    return getId(await expectOk(call(visitor, 'POST', '/users/me/banks', account)), 'account')
  }
  const terms = {
    planDuration: 1,
    timingParameter: 'days',
    minDeposit: 50,
    percentage: 1,
    returnPrincipal: true,
  }
  const hiddenPlanId = getId(await expectOk(call(admin, 'POST', '/plans', terms)), 'plan')
  await expectOk(call(admin, 'DELETE', `/plans/${hiddenPlanId}`))
  const hidden = { payOption: 'Crypto Wallet', bank: 'ETH', accountNumber: `0x${'1'.repeat(40)}` }
  await expectOk(call(admin, 'POST', '/paymentOptions', { ...hidden, displayStatus: false }))
  const bankId = await addBank(investor, '1')
  return { ...scene, pending, bankId, foreignBankId: await addBank(stranger, '2'), hiddenPlanId }
}

const requestInvestment = ({ call }: Place, visitor: Visitor | null, body: object) =>
  call(visitor, 'POST', '/users/me/investments', body)
const requestWithdrawal = ({ call }: Place, visitor: Visitor, body: object) =>
  call(visitor, 'POST', '/users/me/transactions', { type: 'withdrawal', ...body })
const requestDeposit = ({ upload }: Place, visitor: Visitor, fields: Record<string, string>) =>
  upload(visitor, {
    method: 'POST',
    path: '/users/me/transactions',
    field: 'receipt',
    fields: { type: 'deposit', ...fields },
  })
const BANK = 'Bank Transfer'

type Attempt = readonly [name: string, status: number, attempt: (place: Place) => Promise<Reply>]

const ATTEMPTS: readonly Attempt[] = [
  [
    'deposits while waiting for the approval',
    403,
    (at) => requestDeposit(at, at.pending, { pay_option: BANK, amount: '100' }),
  ],
  [
    'invests while waiting for the approval',
    403,
    (at) => requestInvestment(at, at.pending, { plan: at.planId, amount: 100 }),
  ],
  [
    'withdraws while waiting for the approval',
    403,
    (at) =>
      requestWithdrawal(at, at.pending, { amount: 50, pay_option: 'balance', bank_id: at.bankId }),
  ],
  ['invests unknown', 401, (at) => requestInvestment(at, null, { plan: at.planId, amount: 100 })],
  [
    'invests as an administrator',
    403,
    (at) => requestInvestment(at, at.admin, { plan: at.planId, amount: 100 }),
  ],
  [
    'invests in a plan that is off the offer',
    422,
    (at) => requestInvestment(at, at.investor, { plan: at.hiddenPlanId, amount: 100 }),
  ],
  [
    'invests in a plan that never was',
    422,
    (at) => requestInvestment(at, at.investor, { plan: '0123456789abcdefghjk', amount: 100 }),
  ],
  [
    'invests less than the plan takes',
    422,
    (at) => requestInvestment(at, at.investor, { plan: at.planId, amount: 49.99 }),
  ],
  [
    'invests more than there is',
    422,
    (at) => requestInvestment(at, at.investor, { plan: at.planId, amount: 100_000 }),
  ],
  [
    'invests another user’s money',
    403,
    (at) => {
      const { userId: user } = at.investor
      return requestInvestment(at, at.stranger, { plan: at.planId, amount: 100, user })
    },
  ],
  ['invests in no plan', 400, (at) => requestInvestment(at, at.investor, { amount: 100 })],
  [
    'deposits without a receipt',
    400,
    (at) => {
      const body = { type: 'deposit', pay_option: BANK, amount: '100' }
      return at.call(at.investor, 'POST', '/users/me/transactions', body)
    },
  ],
  [
    'deposits to a hidden option',
    400,
    (at) => requestDeposit(at, at.investor, { pay_option: 'Crypto Wallet', amount: '100' }),
  ],
  [
    'deposits below the minimum',
    422,
    (at) => requestDeposit(at, at.investor, { pay_option: BANK, amount: '9.99' }),
  ],
  ['deposits to no option', 400, (at) => requestDeposit(at, at.investor, { amount: '100' })],
  [
    'withdraws to another user’s bank account',
    404,
    (at) =>
      requestWithdrawal(at, at.investor, {
        amount: 50,
        pay_option: 'balance',
        bank_id: at.foreignBankId,
      }),
  ],
  [
    'withdraws below the minimum',
    422,
    (at) =>
      requestWithdrawal(at, at.investor, {
        amount: 9.99,
        pay_option: 'balance',
        bank_id: at.bankId,
      }),
  ],
  [
    'withdraws more than there is',
    422,
    (at) =>
      requestWithdrawal(at, at.investor, {
        amount: 9_000,
        pay_option: 'balance',
        bank_id: at.bankId,
      }),
  ],
  [
    'withdraws from a source that is none',
    400,
    (at) =>
      requestWithdrawal(at, at.investor, { amount: 50, pay_option: 'reserve', bank_id: at.bankId }),
  ],
  [
    'withdraws to no bank account',
    400,
    (at) => requestWithdrawal(at, at.investor, { amount: 50, pay_option: 'balance' }),
  ],
]

/** Returns the attempts that were not refused with the expected status. */
async function findAccepted(place: Place): Promise<readonly string[]> {
  const accepted: string[] = []
  for (const [name, status, attempt] of ATTEMPTS) {
    const reply = await attempt(place)
    if (reply.status !== status) accepted.push(`${name}: ${reply.status}`)
  }
  return accepted
}

let place: Place
beforeAll(async () => {
  place = await startAttackScene()
})
afterAll(() => place?.gateway.stop())

describe('T34 steps that are skipped and limits that are passed', () => {
  test('are refused, and move nothing', async () => {
    expect(await findAccepted(place)).toEqual([])
    const { stats } = await expectOk(place.call(place.investor, 'GET', '/stats/users'))
    expect(stats).toMatchObject({ wallet: { balance: 400 }, total_investment: 1 })
    const { totals } = await place.gateway.ledger.ask('totals', {})
    expect(Object.values(totals.byKind).reduce((sum, minor) => sum + minor, 0n)).toBe(0n)
  })

  test('limits come from the settings in force, not from the form', async () => {
    const { rules } = await place.gateway.ledger.ask('rules', {})
    const depositBelowMinimum = () =>
      requestDeposit(place, place.investor, { pay_option: BANK, amount: '24.99' })
    expect((await depositBelowMinimum()).status).toBe(201)
    await setRules(place, { ...rules, minimumDepositMinor: 2_500n })
    const { status, body } = await depositBelowMinimum()
    expect(status).toBe(422)
    expect(body.message).toContain('$25')
    await setRules(place, rules)
  })
})

type Rules = Awaited<ReturnType<typeof readRules>>
const readRules = async ({ gateway }: Place) => (await gateway.ledger.ask('rules', {})).rules

async function setRules({ gateway, admin }: Place, rules: Rules): Promise<void> {
  await gateway.ledger.unrecorded.submit({
    type: 'SetMoneyRules',
    data: { rules },
    actor: `admin:${admin.userId}`,
    key: null,
    requestId: null,
    effectiveAt: null,
  })
}

describe('T34 their sabotaged twin, which believes the form and has no minimum', () => {
  const trustClient = (route: Route): Route =>
    route.endpoint.path === '/users/me/investments' && route.endpoint.method === 'POST'
      ? {
          ...route,
          handle: (request, exchange) => {
            // The cast is safe because the schema of this endpoint has parsed the request.
            const { user } = (request as { body: { user?: string } }).body
            const { caller } = exchange
            const believed = caller && { ...caller, userId: user ?? caller.userId }
            return route.handle(request, { ...exchange, caller: believed })
          },
        }
      : route
  let open: Place
  beforeAll(async () => {
    open = await startAttackScene(trustClient)
    const rules = await readRules(open)
    await setRules(open, { ...rules, minimumDepositMinor: 1n, minimumWithdrawalMinor: 1n })
  })
  afterAll(() => open?.gateway.stop())

  test('is caught', async () => {
    expect(await findAccepted(open)).toEqual([
      'invests another user’s money: 201',
      'deposits below the minimum: 201',
      'withdraws below the minimum: 201',
    ])
  })
})
