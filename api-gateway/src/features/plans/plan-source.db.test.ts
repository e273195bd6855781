import type { AdminPlan } from '@cairn/gateway-contracts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { approveChange, readChange, requestedIn } from '../../../testing/change-requests.ts'
import { makeApprovers, setDualControl } from '../../../testing/dual-control.ts'
import { idOf, ok, type Scene, startScene } from '../../../testing/scene.ts'
import type { Reply } from '../../../testing/test-gateway.ts'

const SOURCE = 'Rent of three houses, audited every year'
let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())

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
  expect(await planOf(sourced)).toMatchObject({ isArchived: true })
})

test('a plan that pays back less than it takes has no annual rate, and is flagged like others', async () => {
  const losing = await create(terms(10, { returnPrincipal: false }))
  expect(await planOf(losing)).toMatchObject({ annualRate: null, isRateWarned: true })
})

describe('under dual control', () => {
  beforeAll(async () => {
    await makeApprovers(scene.gateway, [scene.admin.userId, scene.second.userId])
  })
  beforeEach(() => setDualControl(scene.gateway, 'required'))
  afterEach(() => setDualControl(scene.gateway, 'single'))
  const agree = async (asked: Reply) =>
    ok(approveChange(scene.gateway, scene.second, requestedIn(asked).id))
  const change = (id: string, body: object) =>
    scene.call(scene.admin, 'PATCH', `/plans/${id}`, body)

  test('a new plan is sold only after the second approval, with its source', async () => {
    const asked = await scene.call(
      scene.admin,
      'POST',
      '/plans',
      terms(10, { sourceOfReturn: SOURCE, reason: 'Asked for by many' }),
    )
    const { id, target } = requestedIn(asked)
    expect(asked.body.errors).toEqual([{ percentage: expect.stringContaining('Waits') }])
    expect(await isOffered(target)).toBe(false)
    const shown = await readChange(scene.gateway, scene.second, id)
    expect(shown.lines).toContainEqual({
      label: 'Profit',
      type: 'text',
      before: null,
      after: '10%',
    })
    expect(shown).toMatchObject({ reason: 'Asked for by many' })
    await agree(asked)
    expect(await isOffered(target)).toBe(true)
    expect((await planOf(target))?.source).toMatchObject({
      text: SOURCE,
      statedBy: { id: scene.admin.userId },
      approvedBy: { id: scene.second.userId },
    })
  })

  test('a raised return waits, and another name and an archive do not', async () => {
    await setDualControl(scene.gateway, 'single')
    const id = await create(terms(3_650))
    await setDualControl(scene.gateway, 'required')
    await ok(change(id, { name: 'Renamed' }))
    const raising = await change(id, { percentage: 500, sourceOfReturn: SOURCE })
    expect(await planOf(id)).toMatchObject({ percentage: 10, version: 2 })
    await agree(raising)
    expect(await planOf(id)).toMatchObject({ percentage: 500, version: 3 })
    expect((await scene.call(scene.admin, 'DELETE', `/plans/${id}`)).status).toBe(204)
  })

  test('an approval of terms that changed since fails', async () => {
    await setDualControl(scene.gateway, 'single')
    const id = await create(terms(3_650))
    await setDualControl(scene.gateway, 'required')
    const raising = requestedIn(await change(id, { percentage: 500 }))
    await ok(change(id, { name: 'Renamed meanwhile' }))
    const reply = await approveChange(scene.gateway, scene.second, raising.id)
    expect([reply.status, reply.body.code]).toEqual([409, 'CHANGE_FAILED'])
    expect(await planOf(id)).toMatchObject({ percentage: 10 })
  })

  test('sabotaged twin: with single control one administrator raises the return', async () => {
    await setDualControl(scene.gateway, 'single')
    const id = await create(terms(3_650))
    await ok(change(id, { percentage: 500 }))
    expect(await planOf(id)).toMatchObject({ percentage: 500 })
  })
})
