import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '../src/platform/http/registry.ts'
import { expectOk, getId, type Scene, startScene } from './scene.ts'
import { send, startTestGateway, type TestGateway, type Visitor, visitAs } from './test-gateway.ts'

let gateway: TestGateway
let owner: Visitor
let stranger: Visitor
let admin: Visitor
beforeAll(async () => {
  gateway = await startTestGateway()
  owner = await visit('investor')
  stranger = await visit('investor')
  admin = await visit('admin')
})
afterAll(() => gateway.stop())

async function visit(who: 'investor' | 'admin'): Promise<Visitor> {
  const visitor = await visitAs(gateway, who)
  if (visitor === null) throw new Error(`${who} has a session`)
  return visitor
}

function post(visitor: Visitor, path: string, body: unknown) {
  return send(gateway, visitor, { method: 'POST', path, body })
}

async function addBank(visitor: Visitor): Promise<string> {
  const account = {
    bankName: 'First Bank',
    accountNumber: '12',
    accountName: 'Anna',
    payOption: 'SAVINGS account',
  }
  const reply = await post(visitor, '/users/me/banks', account)
  const { account: added } = reply.body.data as unknown as {
    account: { id: string; accountType: string }
  }
  expect(added.accountType).toBe('savings Account')
  return added.id
}

async function addOption(payOption: string, displayStatus = true): Promise<string> {
  const body = { payOption, bank: 'B', accountNumber: '1', displayStatus }
  const reply = await post(admin, '/paymentOptions', body)
  return (reply.body.data as unknown as { paymentOption: { id: string } }).paymentOption.id
}

async function requestDeposit(visitor: Visitor, fields: Record<string, string>) {
  const create = { width: 8, height: 8, channels: 3, background: '#ffffff' } as const
  const picture = await sharp({ create }).jpeg().toBuffer()
  const form = new FormData()
  const all = { type: 'deposit', amount: '100', ...fields }
  for (const [name, value] of Object.entries(all)) form.set(name, value)
  form.set('receipt', new File([new Uint8Array(picture)], 'r.jpg', { type: 'image/jpeg' }))
  return await send(gateway, visitor, { method: 'POST', path: '/users/me/transactions', form })
}

describe('the objects of an investor', () => {
  test('another investor’s bank account is answered like a missing one', async () => {
    const bankId = await addBank(owner)
    const withdrawal = { type: 'withdrawal', amount: 50, pay_option: 'balance', bank_id: bankId }
    const path = '/users/me/transactions'
    expect((await post(stranger, path, withdrawal)).status).toBe(404)
    const remove = { method: 'DELETE', path: `/users/me/banks/${bankId}` }
    expect((await send(gateway, stranger, remove)).status).toBe(404)
    await post(owner, path, withdrawal)
    expect(gateway.ledger.commands.at(-1)).toMatchObject({
      type: 'RequestWithdrawal',
      data: { investorId: owner.userId, bankAccountId: bankId, source: 'balance' },
    })
  })

  test('another investor’s request cannot be cancelled', async () => {
    await addOption('Mobile Wallet')
    const reply = await requestDeposit(owner, { pay_option: 'Mobile Wallet' })
    const { transaction } = reply.body.data as unknown as { transaction: { id: string } }
    const path = `/users/me/transactions/${transaction.id}/cancel`
    expect((await post(stranger, path, {})).status).toBe(404)
    expect((await post(owner, path, {})).status).toBe(200)
    expect(gateway.ledger.commands.at(-1)).toMatchObject({ type: 'CancelDeposit' })
  })

  test('another user’s receipt is answered like a missing one', async () => {
    const reply = await requestDeposit(owner, { pay_option: 'Mobile Wallet' })
    const { transaction } = reply.body.data as unknown as { transaction: { id: string } }
    const requestReceipt = (visitor: Visitor, id: string) =>
      send(gateway, visitor, { method: 'GET', path: `/transactions/${id}/receipt` })
    expect((await requestReceipt(stranger, transaction.id)).status).toBe(404)
    const [foreign, absent, odd] = [transaction.id, '0'.repeat(20), 'none'].map((id) =>
      requestReceipt(stranger, id),
    )
    const readMessage = async (answer: typeof foreign) => (await answer)?.body.message
    expect(await readMessage(foreign)).toBe(await readMessage(absent))
    expect((await odd)?.status).toBe(404)
  })

  test('a stranger who knows every id reaches nothing', async () => {
    const found = await findReachableObjects({
      investor: owner,
      stranger,
      call: (visitor, method, path, body) => send(gateway, visitor, { method, path, body }),
      deposit: async (visitor, amount) =>
        getId(
          await expectOk(requestDeposit(visitor, { pay_option: 'Mobile Wallet', amount })),
          'transaction',
        ),
    })
    expect(found).toEqual([])
  })

  test('a user cannot invest for another user', async () => {
    const plan = '0123456789abcdefghjk'
    const body = { plan, amount: 100, user: owner.userId }
    const reply = await post(stranger, '/users/me/investments', body)
    expect(reply).toMatchObject({ status: 403, body: { code: 'NOT_YOURS' } })
  })

  test('lists query the ledger only for the caller', async () => {
    const asked: unknown[] = []
    const { ask } = gateway.ledger
    gateway.ledger.ask = (name, request) => {
      asked.push(request)
      return ask(name, request)
    }
    await send(gateway, stranger, { method: 'GET', path: '/users/me/transactions?q=anna' })
    await send(gateway, stranger, { method: 'GET', path: '/users/me/investments' })
    await send(gateway, stranger, { method: 'GET', path: '/transactions/recent' })
    gateway.ledger.ask = ask
    expect(asked.length).toBeGreaterThan(2)
    for (const request of asked) expect(request).toMatchObject({ investorIds: [stranger.userId] })
  })
})

describe('the payment option of a deposit', () => {
  test('is the only visible option of its kind, and undetermined if there are two', async () => {
    const first = await addOption('Crypto Wallet')
    await addOption('Crypto Wallet', false)
    const only = await requestDeposit(owner, { pay_option: 'Crypto Wallet' })
    expect(only.body.data).toMatchObject({ transaction: { isMethodAmbiguous: false } })
    expect(gateway.ledger.commands.at(-1)).toMatchObject({ data: { paymentOptionId: first } })
    const second = await addOption('Crypto Wallet')
    const open = await requestDeposit(owner, { pay_option: 'Crypto Wallet' })
    expect(open.body.data).toMatchObject({ transaction: { isMethodAmbiguous: true } })
    await requestDeposit(owner, { pay_option: 'Crypto Wallet', payment_option_id: second })
    expect(gateway.ledger.commands.at(-1)).toMatchObject({ data: { paymentOptionId: second } })
  })

  test('must be visible to investors', async () => {
    const hidden = await addOption('Bank Transfer', false)
    const fields = { pay_option: 'Bank Transfer', payment_option_id: hidden }
    expect((await requestDeposit(owner, fields)).status).toBe(400)
    const list = { method: 'GET', path: '/paymentOptions' }
    const seen = JSON.stringify((await send(gateway, owner, list)).body)
    expect(seen).not.toContain(hidden)
    expect(JSON.stringify((await send(gateway, admin, list)).body)).toContain(hidden)
  })
})

/** Returns the requests with which a stranger reaches another user's objects. */
async function findReachableObjects(
  at: Pick<Scene, 'investor' | 'stranger' | 'call' | 'deposit'>,
): Promise<string[]> {
  const account = { bankName: 'B', accountNumber: '1', accountName: 'A', accountType: 'Others' }
  const adding = at.call(at.investor, 'POST', '/users/me/banks', account)
  const bankId = getId(await expectOk(adding), 'account')
  const own = `/transactions/${await at.deposit(at.investor, '70.00')}`
  const withdrawal = { type: 'withdrawal', amount: 50, pay_option: 'balance', bank_id: bankId }
  const attempts = [
    ['see', 'GET', own],
    ['see the receipt', 'GET', `${own}/receipt`],
    ['take back', 'POST', `/users/me${own}/cancel`, {}],
    ['pay out', 'POST', '/users/me/transactions', withdrawal],
    ['remove the account', 'DELETE', `/users/me/banks/${bankId}`],
  ] as const
  const reached: string[] = []
  for (const [name, method, path, body] of attempts) {
    const { status } = await at.call(at.stranger, method, path, body)
    if (status !== 404) reached.push(name)
  }
  return reached
}

describe('their sabotaged twin, which treats the caller as the owner', () => {
  let scene: Scene
  beforeAll(async () => {
    const trustClient = (route: Route): Route => ({
      ...route,
      handle: (request, exchange) => {
        const { caller } = exchange
        const isStranger = caller?.userId === scene?.stranger.userId
        const believed =
          caller && isStranger ? { ...caller, userId: scene.investor.userId } : caller
        return route.handle(request, { ...exchange, caller: believed })
      },
    })
    scene = await startScene({}, { alterRoute: trustClient })
  })
  afterAll(() => scene?.gateway.stop())

  test('is caught', async () => {
    const reached = ['see', 'see the receipt', 'take back', 'pay out', 'remove the account']
    expect(await findReachableObjects(scene)).toEqual(reached)
  })
})
