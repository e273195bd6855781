import { listPermissions, OWNER, type Reserve } from '@cairn/gateway-contracts'
import type { LedgerClient } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { approveChange, getRequestedChange, readChange } from '../../../testing/change-requests.ts'
import { makeApprovers, setThreshold } from '../../../testing/dual-control.ts'
import { addFundedUser, record, startGatewayOfTwoLedgers } from '../../../testing/further-ledger.ts'
import { type RuleWorker, startRuleWorker } from '../../../testing/rule-worker.ts'
import { expectOk, getId, TEN_DAYS } from '../../../testing/scene.ts'
import {
  addUser,
  openVisit,
  type Reply,
  send,
  type TestGateway,
  type Visitor,
} from '../../../testing/test-gateway.ts'
import { createChangeRegistry } from '../../change-kinds.ts'
import { connectLedger } from '../../platform/ledger-client/connect.ts'
import { nameLedger } from '../../platform/ledger-client/numbered-client.ts'
import type { ChangeDefinition } from '../change-requests/index.ts'
import { presentRequests } from '../change-requests/present.ts'
import { getRequest } from '../change-requests/store.ts'

const HOUR_MS = 3_600_000
const NOTE = { note: 'Own money of the operator' }

let gateway: TestGateway
let worker: RuleWorker
let admin: Visitor
let second: Visitor
let person: Visitor
let planId: string
/** The id of the request in ledger 2 that waits for the second administrator. */
let waiting: string

const addAdmin = async () =>
  openVisit(gateway, await addUser(gateway, { role: 'admin', status: 'active' }))
const call = (by: Visitor, method: string, path: string, body?: unknown) =>
  send(gateway, by, { method, path, ...(body === undefined ? {} : { body }) })
const fund = (amount: number, more: { ledger?: unknown; note?: string } = {}) =>
  call(admin, 'POST', '/admin/reserve', { amount, ...more })
const buy = () => call(person, 'POST', '/users/me/investments', { plan: planId, amount: 100 })
const formatCode = ({ status, body }: Reply) => [status, body.code]

async function readReserve(query = ''): Promise<Reserve> {
  const reply = call(admin, 'GET', `/admin/reserve${query}`)
  return (await expectOk<{ reserve: Reserve }>(reply)).reserve
}

/** Returns everything that a command can change in the ledger. */
async function readLedger(number: number) {
  const client = gateway.otherLedger(number)
  const { totals } = await client.ask('totals', {})
  const { size } = await client.ask('head', { size: null })
  return { size, totals }
}

beforeAll(async () => {
  gateway = await startGatewayOfTwoLedgers()
  worker = startRuleWorker(gateway)
  admin = await addAdmin()
  second = await addAdmin()
})
afterAll(async () => {
  await worker?.stop()
  await gateway?.stop()
})

test.each([
  ['POST /admin/reserve', '/admin/reserve', {}],
  ['POST /admin/reserve/withdraw', '/admin/reserve/withdraw', {}],
  ['POST /admin/reserve/sweep', '/admin/reserve/sweep', { from: 'fees' }],
])('%s is refused in a ledger that does not have the approvers yet', async (_, path, more) => {
  const refused = await call(admin, 'POST', path, { amount: 1, ledger: 2, ...more })
  expect(formatCode(refused)).toEqual([409, 'LEDGER_NOT_READY'])
  expect((await readLedger(2)).size).toBe(0n)
})

describe('in the coverage mode strict', () => {
  beforeAll(async () => {
    const { version: _, ...rules } = (await gateway.ledger.ask('rules', {})).rules
    await record(gateway.ledger.unrecorded, 'SetMoneyRules', {
      rules: { ...rules, coverageMode: 'strict' },
    })
    planId = getId(await expectOk(call(admin, 'POST', '/plans', TEN_DAYS)), 'plan')
    await worker.runCopies()
    const further = { db: gateway.db, client: gateway.otherLedger(2) }
    const id = await addFundedUser(further, { ledger: 2, amountMinor: 50_000n })
    person = await openVisit(gateway, id)
  })

  test('a person of ledger 2 buys only after its own reserve is funded', async () => {
    await expectOk(fund(1_000))
    expect(formatCode(await buy())).toEqual([422, 'FULLY_SUBSCRIBED'])
    const before = await readLedger(1)
    const { reserve } = await expectOk<{ reserve: Reserve }>(fund(200, { ledger: 2 }))
    expect(reserve).toMatchObject({ reserve: 200, mode: 'strict' })
    await expectOk(buy())
    expect(await readReserve('?ledger=2')).toMatchObject({ reserve: 190, committed: 10 })
    expect(await readLedger(1)).toEqual(before)
  })

  test('without a ledger, and with the number of the first one, ledger 1 records', async () => {
    const before = await readLedger(2)
    await expectOk(fund(1))
    await expectOk(fund(2, { ledger: 1 }))
    expect((await readReserve('?ledger=1')).reserve).toBe(1_003)
    expect(await readLedger(2)).toEqual(before)
  })

  test('the balances of the chosen ledger are shown, or the sums of all', async () => {
    const [sum, one, other] = await Promise.all(['', '?ledger=1', '?ledger=2'].map(readReserve))
    expect(sum).toMatchObject({ reserve: 1_193, committed: 10 })
    expect(sum?.ledgers?.map(({ ledger, reserve }) => [ledger, reserve])).toEqual([
      [1, 1_003],
      [2, 190],
    ])
    expect(one).toMatchObject({ reserve: 1_003, committed: 0, liabilities: 0, opening: 0 })
    expect(other).toMatchObject({ reserve: 190, committed: 10, liabilities: 500 })
    expect(other).toMatchObject({ cash: [{ option: 'treasury', balance: 200 }] })
    for (const chosen of [one, other]) expect(chosen).not.toHaveProperty('ledgers')
  })

  test('money leaves the reserve of the chosen ledger, as far as that ledger has it', async () => {
    const before = await readLedger(1)
    const out = (amount: number) =>
      call(admin, 'POST', '/admin/reserve/withdraw', { amount, ledger: 2 })
    expect(formatCode(await out(1_000))).toEqual([422, 'INSUFFICIENT_FUNDS'])
    const { reserve } = await expectOk<{ reserve: Reserve }>(out(40))
    expect(reserve.reserve).toBe(150)
    const sweep = { from: 'fees', amount: 1, ledger: 2 }
    const swept = await call(admin, 'POST', '/admin/reserve/sweep', sweep)
    expect(formatCode(swept)).toEqual([422, 'INSUFFICIENT_FUNDS'])
    expect(await readLedger(1)).toEqual(before)
  })

  test('a ledger that the site does not have is refused, and named', async () => {
    for (const reply of [
      await fund(1, { ledger: 9 }),
      await call(admin, 'GET', '/admin/reserve?ledger=9'),
    ]) {
      expect(formatCode(reply)).toEqual([400, 'INVALID'])
      expect(JSON.stringify(reply.body)).toContain('This site has no ledger 9')
    }
    expect((await fund(1, { ledger: 'two' })).status).toBe(400)
  })

  test('a key that was used for one ledger is refused for another', async () => {
    const pay = (ledger: number) =>
      send(gateway, admin, {
        method: 'POST',
        path: '/admin/reserve',
        body: { amount: 5, ledger },
        headers: { 'idempotency-key': 'one-payment' },
      })
    await expectOk(pay(2))
    await expectOk(pay(2))
    expect((await readReserve('?ledger=2')).reserve).toBe(155)
    const before = await readLedger(1)
    expect(formatCode(await pay(1))).toEqual([422, 'KEY_REUSED'])
    expect(await readLedger(1)).toEqual(before)
  })
})

describe('while two administrators must approve the amount', () => {
  beforeAll(async () => {
    await makeApprovers(gateway, [admin.userId, second.userId])
    await setThreshold(gateway, 50_000n)
    await worker.runCopies()
  })

  const propose = async (ledger: number) => getRequestedChange(await fund(700, { ...NOTE, ledger }))

  const getDefinition = () => createChangeRegistry(gateway.deps)['reserve-funding']

  /** Presents the requests to the second administrator, with an altered definition of their kind. */
  async function present(definition: ChangeDefinition, ids: readonly string[]) {
    const { deps } = gateway
    const registry = { ...createChangeRegistry(deps), 'reserve-funding': definition }
    const { userId } = second
    const permissions = new Set(listPermissions(OWNER))
    const reader = { ...deps, registry, userId, permissions, nowMs: deps.clock.now() }
    return presentRequests(reader, await Promise.all(ids.map((id) => getRequest(deps.db, id))))
  }

  /** Carries out the waiting request as if both administrators had approved this payload now. */
  function execute(payload: unknown, key: string): Promise<void> {
    const definition = getDefinition()
    const nowMs = gateway.deps.clock.now()
    return gateway.db.transaction().execute((trx) =>
      definition.execute({
        trx,
        payload: definition.payload.parse(payload),
        requestId: waiting,
        key,
        createdBy: admin.userId,
        createdAtMs: nowMs,
        approvedBy: second.userId,
        approvedAtMs: nowMs,
        nowMs,
      }),
    )
  }

  const readPayload = async () => JSON.parse((await getRequest(gateway.db, waiting)).payload)

  test('both ledgers can have a request, and the request names its ledger', async () => {
    const [first, further] = [await propose(1), await propose(2)]
    waiting = further.id
    expect(first).toMatchObject({ target: 'reserve', title: expect.not.stringContaining('ledger') })
    expect(further).toMatchObject({
      target: 'reserve-2',
      title: expect.stringContaining('ledger 2'),
    })
    const { lines } = await readChange(gateway, second, waiting)
    expect(lines).toContainEqual({ type: 'text', label: 'Ledger', before: null, after: '2' })
    const before = await readLedger(2)
    await expectOk(approveChange(gateway, second, first.id))
    expect((await readReserve('?ledger=1')).reserve).toBe(1_703)
    expect(await readLedger(2)).toEqual(before)
  })

  test('an administrator whom ledger 2 has known for less than a day cannot approve, and pages say so', async () => {
    expect(await readReserve('?ledger=1')).not.toHaveProperty('secondApprovalFrom')
    const { secondApprovalFrom = '' } = await readReserve('?ledger=2')
    const waitMs = Date.parse(secondApprovalFrom) - gateway.deps.clock.now()
    expect(waitMs).toBeGreaterThan(23 * HOUR_MS)
    const before = await readLedger(2)
    expect(await readChange(gateway, second, waiting)).toMatchObject({
      canDecide: false,
      blockedBecause: expect.stringContaining('Wait 24 hours'),
    })
    const early = await approveChange(gateway, second, waiting)
    expect(formatCode(early)).toEqual([409, 'APPROVER_TOO_NEW'])
    expect(await readLedger(2)).toEqual(before)
  })

  test('sabotaged twin: by the approvers of ledger 1, a request is approved that ledger 2 refuses', async () => {
    const { findFurther: _, ...definition } = getDefinition()
    expect(await present(definition, [waiting])).toMatchObject([{ canDecide: true }])
    await expect(execute(await readPayload(), 'change:early')).rejects.toThrow('may approve from')
  })

  test('the requests of a ledger that does not answer are listed, and it is asked once', async () => {
    const connected = connectLedger({ urls: ['http://127.0.0.1:1'], ledger: 2, token: 'none' })
    const silent = nameLedger(connected, 2)
    const asked: string[] = []
    const ask: LedgerClient['ask'] = (query, input) => {
      asked.push(query)
      return silent.ask(query, input)
    }
    const further = { ...silent, ask }
    const definition = { ...getDefinition(), findFurther: () => further }
    const blocked = {
      canDecide: false,
      blockedBecause: expect.stringContaining('Ledger 2 cannot be reached'),
    }
    expect(await present(definition, [waiting, waiting])).toMatchObject([blocked, blocked])
    expect(asked).toEqual(['controls'])
  })

  test('after a day, the request is approved, and recorded in ledger 2 only', async () => {
    await gateway.moveAllClocks(25 * HOUR_MS)
    expect(await readReserve('?ledger=2')).not.toHaveProperty('secondApprovalFrom')
    const before = await readLedger(1)
    await expectOk(approveChange(gateway, second, waiting))
    expect((await readReserve('?ledger=2')).reserve).toBe(855)
    expect(await readLedger(1)).toEqual(before)
  })

  test('sabotaged twin: without the ledger in the request, ledger 1 records it', async () => {
    waiting = (await propose(2)).id
    const { ledger, ...rest } = await readPayload()
    expect(ledger).toBe(2)
    const before = await readLedger(2)
    await execute(rest, `change:${waiting}`)
    expect((await readReserve('?ledger=1')).reserve).toBe(2_403)
    expect(await readLedger(2)).toEqual(before)
  })
})
