import type { AdminPlan } from '@cairn/gateway-contracts'
import type { DataOf } from '@cairn/ledger-contracts'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { idOf, ok, type Scene, startScene } from '../../../testing/scene.ts'
import { send as sendTo } from '../../../testing/test-gateway.ts'
import { approveSource, storeSource } from './plan-source.ts'

const SOURCE = 'Rent of three houses, audited every year'
let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())
beforeEach(() => setThreshold(null))

/** Sets the amount from which two administrators decide. */
async function setThreshold(approvalThresholdMinor: bigint | null): Promise<void> {
  const { ledger } = scene.gateway
  const { rules } = await ledger.ask('rules', {})
  const { version: _version, ...known } = rules
  const answer = await ledger.unrecorded.submit({
    type: 'SetMoneyRules',
    data: { rules: { ...known, approvalThresholdMinor } },
    actor: 'system:test',
    key: null,
    requestId: null,
    effectiveAt: null,
  })
  expect(answer.outcome).toBe('recorded')
}

/** 10 % in ten days is 365 % a year; in ten years it is 1 %. */
function terms(days: number, more = {}) {
  const usual = { planDuration: days, timingParameter: 'days', minDeposit: 50, percentage: 10 }
  return { name: `Of ${days} days`, ...usual, returnPrincipal: true, ...more }
}

async function create(body: object): Promise<string> {
  return idOf(await ok(scene.call(scene.admin, 'POST', '/plans', body)), 'plan')
}

async function planOf(id: string): Promise<AdminPlan | undefined> {
  const reply = scene.call(scene.admin, 'GET', '/admin/plans')
  return (await ok<{ plans: AdminPlan[] }>(reply)).plans.find((plan) => plan.id === id)
}

async function isOffered(id: string): Promise<boolean> {
  const reply = scene.call(null, 'GET', '/plans')
  return (await ok<{ plans: { id: string }[] }>(reply)).plans.some((plan) => plan.id === id)
}

const approve = (id: string, by = scene.second) =>
  scene.call(by, 'PATCH', `/admin/plans/${id}/approve`)

test('above the set rate a plan is flagged, with its source or with none', async () => {
  const modest = await create(terms(3_650))
  expect(await planOf(modest)).toMatchObject({ annualRate: 1, isRateWarned: false, source: null })
  const bare = await create(terms(10))
  expect(await planOf(bare)).toMatchObject({ annualRate: 365, isRateWarned: true })
  expect((await planOf(bare))?.source).toMatchObject({ text: null, approvedAt: null })
  const sourced = await create(terms(20, { sourceOfReturn: SOURCE }))
  expect((await planOf(sourced))?.source).toMatchObject({
    text: SOURCE,
    statedBy: { id: scene.admin.userId },
  })
  expect(await isOffered(sourced)).toBe(true)
  const archived = scene.call(scene.admin, 'DELETE', `/plans/${sourced}`)
  expect((await archived).status).toBe(204)
  expect(await planOf(sourced)).toMatchObject({ isArchived: true, isWaiting: false })
})

test('a plan that pays back less than it takes has no annual rate, and is flagged like others', async () => {
  const losing = await create(terms(10, { returnPrincipal: false }))
  expect(await planOf(losing)).toMatchObject({ annualRate: null, isRateWarned: true })
})

test('with two administrators a plan is sold only after the second approval', async () => {
  await setThreshold(100_000n)
  const id = await create(terms(10, { sourceOfReturn: SOURCE }))
  expect(await isOffered(id)).toBe(false)
  expect(await planOf(id)).toMatchObject({ isArchived: true, isWaiting: true })
  const purchase = { plan: id, amount: 60 }
  const early = await scene.call(scene.investor, 'POST', '/users/me/investments', purchase)
  expect(early.status).toBeGreaterThanOrEqual(400)
  expect((await scene.call(scene.admin, 'PATCH', `/plans/${id}`, { minDeposit: 1 })).status).toBe(
    404,
  )
  expect(await approve(id, scene.admin)).toMatchObject({
    status: 409,
    body: { code: 'SECOND_APPROVER_NEEDED' },
  })
  await ok(approve(id))
  expect(await isOffered(id)).toBe(true)
  expect((await planOf(id))?.source?.approvedBy?.id).toBe(scene.second.userId)
  expect((await approve(id)).status).toBe(409)
  await ok(scene.call(scene.investor, 'POST', '/users/me/investments', purchase))
  const { entries } = await ok<{ entries: { action: string }[] }>(
    scene.call(scene.admin, 'GET', `/admin/audit?subject=${id}`),
  )
  expect(entries.map(({ action }) => action)).toEqual(['plan.approve', 'plan.create'])
})

test('a raised return waits again, another name does not', async () => {
  const id = await create(terms(3_650))
  await setThreshold(100_000n)
  await ok(scene.call(scene.admin, 'PATCH', `/plans/${id}`, { name: 'Renamed' }))
  expect(await isOffered(id)).toBe(true)
  const raised = { percentage: 500, sourceOfReturn: SOURCE }
  await ok(scene.call(scene.admin, 'PATCH', `/plans/${id}`, raised))
  expect(await isOffered(id)).toBe(false)
  await ok(approve(id))
  expect(await isOffered(id)).toBe(true)
  await ok(scene.call(scene.admin, 'PATCH', `/plans/${id}`, { name: 'Renamed again' }))
  expect(await isOffered(id)).toBe(true)
})

test('either administrator can reject a waiting plan, which then cannot be approved', async () => {
  await setThreshold(100_000n)
  for (const rejecting of [scene.second, scene.admin]) {
    const id = await create(terms(10, { sourceOfReturn: SOURCE }))
    const remove = () => scene.call(rejecting, 'DELETE', `/plans/${id}`)
    expect((await remove()).status).toBe(204)
    expect(await planOf(id)).toMatchObject({ isArchived: true, isWaiting: false })
    expect(await approve(id)).toMatchObject({ status: 409, body: { code: 'NOT_WAITING' } })
    expect((await remove()).status).toBe(404)
    const { entries } = await ok<{ entries: { action: string }[] }>(
      scene.call(scene.admin, 'GET', `/admin/audit?subject=${id}`),
    )
    expect(entries.map(({ action }) => action)).toEqual(['plan.archive', 'plan.create'])
  }
})

async function withoutSources(act: () => Promise<unknown>): Promise<void> {
  const superuser = new pg.Client({ connectionString: scene.gateway.databaseUrl })
  await superuser.connect()
  await superuser.query('alter table platform.plan_source rename to plan_source_away')
  await act()
  await superuser.query('alter table platform.plan_source_away rename to plan_source')
  await superuser.end()
}

test('a plan whose source was not written, because the gateway fell, waits once it is sent again', async () => {
  await setThreshold(100_000n)
  const send = () =>
    sendTo(scene.gateway, scene.admin, {
      method: 'POST',
      path: '/plans',
      body: terms(10, { sourceOfReturn: SOURCE }),
      headers: { 'idempotency-key': 'a-plan-sent-twice' },
    })
  await withoutSources(async () => expect((await send()).status).toBe(500))
  const { status, body } = await send()
  expect(status).toBe(201)
  const id = idOf(body.data ?? {}, 'plan')
  expect(await planOf(id)).toMatchObject({ isWaiting: true, version: 1, source: { text: SOURCE } })
  await ok(approve(id))
})

test('an edit whose source cannot be written changes nothing, and works when it is sent again', async () => {
  await setThreshold(100_000n)
  const id = await create(terms(3_650))
  const raise = () =>
    scene.call(scene.admin, 'PATCH', `/plans/${id}`, { percentage: 500, sourceOfReturn: SOURCE })
  await withoutSources(async () => expect((await raise()).status).toBe(500))
  expect(await planOf(id)).toMatchObject({ version: 1, isArchived: false, isRateWarned: false })
  await ok(raise())
  expect(await planOf(id)).toMatchObject({ version: 2, isWaiting: true, source: { text: SOURCE } })
})

/** The row that remains if the gateway stops between writing the source and defining the plan. */
async function leaveDraft(id: string, version: number): Promise<void> {
  await storeSource(scene.gateway.db, {
    planId: id,
    version,
    text: 'Never came',
    needsApproval: true,
    statedBy: scene.second.userId,
    nowMs: Date.now(),
  })
}

test('what was written for terms that never came is the source of no others', async () => {
  await setThreshold(100_000n)
  const id = await create(terms(3_650))
  await leaveDraft(id, 2)
  expect(await planOf(id)).toMatchObject({ source: null, isWaiting: false })
  const raised = { percentage: 500, sourceOfReturn: SOURCE }
  await ok(scene.call(scene.admin, 'PATCH', `/plans/${id}`, raised))
  const stated = { text: SOURCE, statedBy: { id: scene.admin.userId } }
  expect(await planOf(id)).toMatchObject({ isWaiting: true, source: stated })
  expect((await approve(id, scene.admin)).status).toBe(409)

  const other = await create(terms(3_650))
  await leaveDraft(other, 2)
  await ok(scene.call(scene.admin, 'DELETE', `/plans/${other}`))
  expect(await planOf(other)).toMatchObject({ isArchived: true, isWaiting: false, source: null })
  expect((await approve(other, scene.admin)).status).toBe(409)
})

test('sabotaged twin: terms that come past the gateway take it for their own', async () => {
  const id = await create(terms(3_650))
  await leaveDraft(id, 2)
  const { ledger } = scene.gateway
  const { plans } = await ledger.ask('plans', { includeArchived: false })
  const { planId, version: _v, definedAt: _at, ...known } = plans.find((p) => p.planId === id) ?? {}
  const data = { planId, terms: { ...known, isArchived: true } } as DataOf<'DefinePlan'>
  const rest = { actor: 'system:test', key: null, requestId: null, effectiveAt: null }
  await ledger.unrecorded.submit({ type: 'DefinePlan', data, ...rest })
  expect(await planOf(id)).toMatchObject({ isWaiting: true, source: { text: 'Never came' } })
})

test('an approval that the gateway did not finish is given again', async () => {
  await setThreshold(100_000n)
  const id = await create(terms(10, { sourceOfReturn: SOURCE }))
  const { db, ledger } = scene.gateway
  const { plans } = await ledger.ask('plans', { includeArchived: true })
  const plan = plans.find(({ planId }) => planId === id)
  if (plan === undefined) throw new Error('the plan was defined')
  await approveSource(db, { plan, userId: scene.second.userId, nowMs: Date.now() })
  expect(await planOf(id)).toMatchObject({ isArchived: true, isWaiting: true })
  await ok(approve(id))
  expect(await isOffered(id)).toBe(true)
})

test('approved and rejected at the same moment, one of the two happens and the other hears of it', async () => {
  await setThreshold(100_000n)
  for (let round = 0; round < 6; round += 1) {
    const id = await create(terms(10 + round, { sourceOfReturn: SOURCE }))
    const [approved, rejected] = await Promise.all([
      scene.call(scene.second, 'PATCH', `/admin/plans/${id}/approve?version=1`),
      scene.call(scene.admin, 'DELETE', `/plans/${id}?version=1`),
    ])
    const statuses = [approved.status, rejected.status]
    expect([
      [200, 409],
      [409, 204],
    ]).toContainEqual(statuses)
    const loser = approved.status === 409 ? approved : rejected
    expect(['TERMS_CHANGED', 'NOT_WAITING']).toContain(loser.body.code)
    expect(await isOffered(id)).toBe(approved.status === 200)
    const by = (await planOf(id))?.source?.approvedBy?.id ?? null
    expect(by).toBe(approved.status === 200 ? scene.second.userId : null)
  }
})

test('sabotaged twin: who does not say what was looked at rejects what was approved since', async () => {
  await setThreshold(100_000n)
  const id = await create(terms(10, { sourceOfReturn: SOURCE }))
  await ok(approve(id))
  await ok(scene.call(scene.admin, 'DELETE', `/plans/${id}`))
  expect(await isOffered(id)).toBe(false)
})

test('sabotaged twin: without the threshold the same plan is sold at once', async () => {
  expect(await isOffered(await create(terms(10, { sourceOfReturn: SOURCE })))).toBe(true)
})

test('what was only taken off the offer cannot be approved back', async () => {
  await setThreshold(100_000n)
  const id = await create(terms(3_650))
  await scene.call(scene.admin, 'DELETE', `/plans/${id}`)
  expect(await approve(id)).toMatchObject({ status: 409, body: { code: 'NOT_WAITING' } })
  expect(await isOffered(id)).toBe(false)
})
