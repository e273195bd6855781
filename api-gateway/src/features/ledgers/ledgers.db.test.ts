import type { SiteLedger } from '@cairn/gateway-contracts'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { approveChange, getRequestedChange, readChange } from '../../../testing/change-requests.ts'
import { makeApprovers, setThreshold } from '../../../testing/dual-control.ts'
import { type RuleWorker, startRuleWorker } from '../../../testing/rule-worker.ts'
import { expectOk, type Scene, startScene } from '../../../testing/scene.ts'
import { addUser, send } from '../../../testing/test-gateway.ts'
import { claimLedger } from '../../platform/ledger-client/site-ledger.ts'

const LEDGERS = '5'
const MINUTE_MS = 60_000

let scene: Scene
let worker: RuleWorker
beforeAll(async () => {
  scene = await startScene({ LEDGERS })
  const { gateway } = scene
  await claimLedger(gateway.db, 1)
  worker = startRuleWorker(gateway)
})
afterAll(async () => {
  await worker?.stop()
  await scene?.gateway.stop()
})

const add = (number: unknown, name = 'West') =>
  scene.call(scene.admin, 'POST', '/admin/ledgers', { number, name })
const edit = (number: number, isOpen: boolean, by = scene.admin) =>
  scene.call(by, 'PATCH', `/admin/ledgers/${number}`, { isOpen })

async function list(): Promise<readonly SiteLedger[]> {
  const reply = scene.call(scene.admin, 'GET', '/admin/ledgers')
  return (await expectOk<{ ledgers: SiteLedger[] }>(reply)).ledgers
}

async function getLedger(number: number): Promise<SiteLedger> {
  const found = (await list()).find((ledger) => ledger.number === number)
  if (found === undefined) throw new Error(`there is no ledger ${number}`)
  return found
}

const readRules = async (ledger: number) =>
  (await scene.gateway.otherLedger(ledger).ask('rules', {})).rules
const readPlans = async (ledger: number) => {
  const { plans } = await scene.gateway.otherLedger(ledger).ask('plans', { includeArchived: true })
  return plans.map(({ definedAt: _, ...plan }) => plan)
}

test('GET /admin/ledgers shows the first ledger, which is open and the source of the others', async () => {
  const [first, ...others] = await list()
  expect(others).toEqual([])
  expect(first).toMatchObject({ number: 1, isFirst: true, isOpen: true, people: 2, rules: null })
  expect(first?.size).toBeGreaterThan(0)
})

test('POST /admin/ledgers refuses a ledger that is not served, known or not empty', async () => {
  expect((await add('many')).status).toBe(400)
  expect((await add(2, '')).status).toBe(400)
  const unknown = await add(6)
  expect([unknown.status, unknown.body.code]).toEqual([409, 'LEDGER_UNKNOWN'])
  expect(unknown.body.message).toContain('Raise LEDGERS, or name the ledger in LEDGER_DIRECTORY')
  expect((await add(1)).body.code).toBe('LEDGER_EXISTS')
  await scene.gateway.otherLedger(5).submit({
    type: 'FundReserve',
    data: { transactionId: scene.depositId, amountMinor: 100n, note: null },
    actor: 'admin:ada',
    key: null,
    requestId: null,
    effectiveAt: null,
  })
  expect((await add(5)).body.code).toBe('LEDGER_IN_USE')
  expect(await list()).toHaveLength(1)
})

test('a ledger is added closed, and opens only after plans and rules are copied to it', async () => {
  await expectOk(add(2))
  expect(await getLedger(2)).toMatchObject({
    name: 'West',
    isOpen: false,
    people: 0,
    size: 0,
    rules: { through: 0, isComplete: false, problem: null },
  })
  const early = await edit(2, true)
  expect([early.status, early.body.code]).toEqual([409, 'LEDGER_NOT_READY'])
  await worker.runCopies()
  const { size } = await getLedger(1)
  expect(await getLedger(2)).toMatchObject({
    rules: { through: size, size, isComplete: true, problem: null },
  })
  expect(await readPlans(2)).toEqual(await readPlans(1))
  expect(await readPlans(2)).toMatchObject([{ planId: scene.planId, version: 1 }])
  await expectOk(edit(2, true))
  expect(await getLedger(2)).toMatchObject({ isOpen: true })
  await expectOk(edit(2, true))
})

describe('a ledger that is added with a key', () => {
  const addWithKey = (key: string, name = 'North') => {
    const headers = { 'idempotency-key': key }
    const body = { number: 3, name }
    return send(scene.gateway, scene.admin, {
      method: 'POST',
      path: '/admin/ledgers',
      body,
      headers,
    })
  }
  let superuser: pg.Client
  beforeAll(async () => {
    superuser = new pg.Client(scene.gateway.databaseUrl)
    await superuser.connect()
  })
  afterAll(() => superuser?.end())
  const removeLedger = () => superuser.query('delete from platform.ledger where ledger_id = 3')

  test('is answered again if the gateway ended before it stored the answer', async () => {
    await expectOk(addWithKey('north'))
    await scene.gateway.db
      .updateTable('platform.keyed_request')
      .set({ status: null, body: null })
      .where('key', '=', 'north')
      .execute()
    const repeated = await expectOk<{ ledger: SiteLedger }>(addWithKey('north'))
    expect(repeated.ledger).toMatchObject({ number: 3, name: 'North' })
    expect((await addWithKey('another-key')).body.code).toBe('LEDGER_EXISTS')
    expect((await add(3, 'North')).body.code).toBe('LEDGER_EXISTS')
    await removeLedger()
  })

  test('is added once by two requests at once', async () => {
    const replies = await Promise.all([addWithKey('twice'), addWithKey('twice')])
    expect(replies.map(({ status }) => status)).toEqual([201, 201])
    await removeLedger()
    const others = await Promise.all([add(3, 'One'), add(3, 'Other')])
    expect(others.map(({ status }) => status).toSorted()).toEqual([201, 409])
    await removeLedger()
  })
})

test('people who are added to a ledger are counted there', async () => {
  const userId = await addUser(scene.gateway, { role: 'user', status: 'pending' })
  await scene.gateway.db
    .updateTable('identity.user')
    .set({ ledger_id: 2 })
    .where('id', '=', userId)
    .execute()
  expect([(await getLedger(1)).people, (await getLedger(2)).people]).toEqual([2, 1])
})

test('PATCH /admin/ledgers/:number closes one, but not the last open one', async () => {
  expect((await edit(9, true)).status).toBe(404)
  await expectOk(edit(1, false))
  const last = await edit(2, false)
  expect([last.status, last.body.code]).toEqual([409, 'LAST_OPEN_LEDGER'])
  await expectOk(edit(1, true))
  await expectOk(edit(2, false))
})

test('of two who close the two open ledgers at once, one is refused', async () => {
  await expectOk(edit(2, true))
  const replies = await Promise.all([edit(1, false), edit(2, false, scene.second)])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
  for (const number of [1, 2]) await expectOk(edit(number, true))
})

test('a copy that was not confirmed for five minutes is not complete', async () => {
  await expectOk(edit(2, false))
  scene.gateway.moveClock(6 * MINUTE_MS)
  expect(await getLedger(2)).toMatchObject({ rules: { isComplete: false } })
  expect((await edit(2, true)).body.code).toBe('LEDGER_NOT_READY')
  await worker.runCopies()
  await expectOk(edit(2, true))
})

test('the reason is shown if a copy cannot go on', async () => {
  const row = { ledger_id: 5, name: 'Own', is_open: false, added_at: new Date() }
  await scene.gateway.db.insertInto('platform.ledger').values(row).execute()
  await worker.runCopies()
  const { rules } = await getLedger(5)
  expect(rules?.problem).toBe('Ledger 5 is no copy of ledger 1: it has events of its own')
  expect((await edit(5, true)).body.code).toBe('LEDGER_NOT_READY')
})

describe('with dual control', () => {
  beforeAll(async () => {
    const { admin, second, gateway } = scene
    await makeApprovers(gateway, [admin.userId, second.userId])
    await setThreshold(gateway, 10_000n)
  })

  test('a second administrator approves a new ledger', async () => {
    const asked = await add(3, 'North')
    const { id, kind } = getRequestedChange(asked)
    expect(kind).toBe('ledger')
    const again = scene.call(scene.second, 'POST', '/admin/ledgers', { number: 3, name: 'South' })
    expect((await again).body.code).toBe('CHANGE_PENDING')
    expect((await approveChange(scene.gateway, scene.admin, id)).body.code).toBe(
      'SECOND_APPROVER_NEEDED',
    )
    const { lines } = await readChange(scene.gateway, scene.second, id)
    expect(lines[0]?.after).toBe('3: North')
    expect((await list()).map(({ number }) => number)).toEqual([1, 2, 5])
    await expectOk(approveChange(scene.gateway, scene.second, id))
    expect(await getLedger(3)).toMatchObject({ name: 'North', isOpen: false })
  })

  test('a second administrator approves that it opens; closing needs one', async () => {
    await worker.runCopies()
    const { id } = getRequestedChange(await edit(3, true))
    const other = await edit(3, true, scene.second)
    expect(other.body.code).toBe('CHANGE_PENDING')
    expect(await getLedger(3)).toMatchObject({ isOpen: false })
    await expectOk(approveChange(scene.gateway, scene.second, id))
    expect(await getLedger(3)).toMatchObject({ isOpen: true })
    await expectOk(edit(3, false))
  })

  test('an approved opening fails if the copy is no longer confirmed', async () => {
    const { id } = getRequestedChange(await edit(3, true))
    scene.gateway.moveClock(6 * MINUTE_MS)
    const late = await approveChange(scene.gateway, scene.second, id)
    expect([late.status, late.body.code]).toEqual([409, 'CHANGE_FAILED'])
    expect(await getLedger(3)).toMatchObject({ isOpen: false })
  })

  test('a further ledger has the approvers, the mode and the threshold of the first', async () => {
    await worker.runCopies()
    const now = new Date(0).toISOString()
    const [first, further] = await Promise.all(
      [1, 3].map((ledger) => scene.gateway.otherLedger(ledger).ask('controls', { now })),
    )
    const listIds = (controls: typeof first) =>
      controls?.approvers.map(({ approverId }) => approverId).toSorted()
    expect(listIds(further)).toEqual(listIds(first))
    expect([first?.mode, further?.mode]).toEqual(['required', 'required'])
    expect(await readRules(3)).toEqual(await readRules(1))
    expect((await readRules(3)).approvalThresholdMinor).toBe(10_000n)
  })
})

test('an added ledger and its opening are in the audit log', async () => {
  const rows = await scene.gateway.db
    .selectFrom('platform.audit')
    .select(['action', 'subject'])
    .where(sql<boolean>`action in ('ledger.add', 'ledger.edit', 'change.execute')`)
    .where('result', '=', 'success')
    .orderBy('id')
    .execute()
  const acts = rows.map(({ action, subject }) => `${action} ${subject}`)
  expect(acts).toContain('ledger.add ledger 2')
  expect(acts).toContain('ledger.edit ledger 2')
  expect(acts.filter((act) => act === 'change.execute ledger-3')).toHaveLength(2)
})

test('a ledger service that does not answer is said to be silent, and adds nothing', async () => {
  await scene.gateway.stopLedger()
  const silent = await add(4)
  expect([silent.status, silent.body.code]).toEqual([503, 'LEDGER_UNAVAILABLE'])
  expect(await getLedger(1)).toMatchObject({ size: null, answeredAt: expect.any(String) })
  // The ledger knows whether dual control is required, so none is opened without its answer.
  expect((await edit(3, true)).body.code).toBe('LEDGER_UNAVAILABLE')
  expect(await getLedger(3)).toMatchObject({ isOpen: false })
})
