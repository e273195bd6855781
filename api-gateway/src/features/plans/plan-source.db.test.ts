import type { AdminPlan } from '@cairn/gateway-contracts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { approveChange, getRequestedChange, readChange } from '../../../testing/change-requests.ts'
import { makeApprovers, setDualControl } from '../../../testing/dual-control.ts'
import { expectOk, getId, type Scene, startScene } from '../../../testing/scene.ts'
import type { Reply } from '../../../testing/test-gateway.ts'

const SOURCE = 'Rent of three houses, audited every year'
let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.gateway.stop())

/**
 * Returns terms with a profit of 10 %. The annual rate is 365 % if the duration is ten days, and 1
 * % if it is ten years.
 */
function createPlanTerms(days: number, more = {}) {
  const usual = { planDuration: days, timingParameter: 'days', minDeposit: 50, percentage: 10 }
  return { name: `Of ${days} days`, ...usual, returnPrincipal: true, ...more }
}

async function createPlan(body: object): Promise<string> {
  return getId(await expectOk(scene.call(scene.admin, 'POST', '/plans', body)), 'plan')
}

async function findPlan(id: string): Promise<AdminPlan | undefined> {
  const reply = scene.call(scene.admin, 'GET', '/admin/plans')
  return (await expectOk<{ plans: AdminPlan[] }>(reply)).plans.find((plan) => plan.id === id)
}

async function isOffered(id: string): Promise<boolean> {
  const reply = scene.call(null, 'GET', '/plans')
  return (await expectOk<{ plans: { id: string }[] }>(reply)).plans.some((plan) => plan.id === id)
}

test('above the set rate a plan is flagged, with its source or with none', async () => {
  const modest = await createPlan(createPlanTerms(3_650))
  expect(await findPlan(modest)).toMatchObject({ annualRate: 1, isRateWarned: false, source: null })
  const bare = await createPlan(createPlanTerms(10))
  expect(await findPlan(bare)).toMatchObject({ annualRate: 365, isRateWarned: true })
  expect((await findPlan(bare))?.source).toMatchObject({ text: null, approvedAt: null })
  const sourced = await createPlan(createPlanTerms(20, { sourceOfReturn: SOURCE }))
  expect((await findPlan(sourced))?.source).toMatchObject({
    text: SOURCE,
    statedBy: { id: scene.admin.userId },
  })
  expect(await isOffered(sourced)).toBe(true)
  const archived = scene.call(scene.admin, 'DELETE', `/plans/${sourced}`)
  expect((await archived).status).toBe(204)
  expect(await findPlan(sourced)).toMatchObject({ isArchived: true })
})

test('a plan that pays back less than it takes has no annual rate, so none is too high', async () => {
  const losing = await createPlan(createPlanTerms(10, { returnPrincipal: false }))
  expect(await findPlan(losing)).toMatchObject({ annualRate: null, isRateWarned: false })
})

test('the rate of a plan that keeps the principal is that of what investors gain', async () => {
  const getTerms = (percentage: number) => ({
    ...createPlanTerms(30, { returnPrincipal: false }),
    percentage,
  })
  const even = await createPlan(getTerms(100))
  expect(await findPlan(even)).toMatchObject({ annualRate: 0, isRateWarned: false, source: null })
  const gaining = await createPlan(getTerms(105))
  expect(await findPlan(gaining)).toMatchObject({ annualRate: 61, isRateWarned: true })
})

describe('under dual control', () => {
  beforeAll(async () => {
    await makeApprovers(scene.gateway, [scene.admin.userId, scene.second.userId])
  })
  beforeEach(() => setDualControl(scene.gateway, 'required'))
  afterEach(() => setDualControl(scene.gateway, 'single'))
  const approveRequest = async (asked: Reply) =>
    expectOk(approveChange(scene.gateway, scene.second, getRequestedChange(asked).id))
  const changePlan = (id: string, body: object) =>
    scene.call(scene.admin, 'PATCH', `/plans/${id}`, body)

  test('a new plan is sold only after the second approval, with its source', async () => {
    const asked = await scene.call(
      scene.admin,
      'POST',
      '/plans',
      createPlanTerms(10, { sourceOfReturn: SOURCE, reason: 'Asked for by many' }),
    )
    const { id, target } = getRequestedChange(asked)
    expect(asked.body.errors).toEqual([{ percentage: expect.stringContaining('Waiting') }])
    expect(await isOffered(target)).toBe(false)
    const shown = await readChange(scene.gateway, scene.second, id)
    expect(shown.lines).toContainEqual({
      label: 'Profit',
      type: 'text',
      before: null,
      after: '10%',
    })
    expect(shown).toMatchObject({ reason: 'Asked for by many' })
    await approveRequest(asked)
    expect(await isOffered(target)).toBe(true)
    expect((await findPlan(target))?.source).toMatchObject({
      text: SOURCE,
      statedBy: { id: scene.admin.userId },
      approvedBy: { id: scene.second.userId },
    })
  })

  test('a higher return waits for approval; a new name and the archive do not', async () => {
    await setDualControl(scene.gateway, 'single')
    const id = await createPlan(createPlanTerms(3_650))
    await setDualControl(scene.gateway, 'required')
    await expectOk(changePlan(id, { name: 'Renamed' }))
    const raising = await changePlan(id, { percentage: 500, sourceOfReturn: SOURCE })
    expect(await findPlan(id)).toMatchObject({ percentage: 10, version: 2 })
    await approveRequest(raising)
    expect(await findPlan(id)).toMatchObject({ percentage: 500, version: 3 })
    expect((await scene.call(scene.admin, 'DELETE', `/plans/${id}`)).status).toBe(204)
  })

  test('an approval of terms that changed since fails', async () => {
    await setDualControl(scene.gateway, 'single')
    const id = await createPlan(createPlanTerms(3_650))
    await setDualControl(scene.gateway, 'required')
    const raising = getRequestedChange(await changePlan(id, { percentage: 500 }))
    await expectOk(changePlan(id, { name: 'Renamed meanwhile' }))
    const reply = await approveChange(scene.gateway, scene.second, raising.id)
    expect([reply.status, reply.body.code]).toEqual([409, 'CHANGE_FAILED'])
    expect(await findPlan(id)).toMatchObject({ percentage: 10 })
  })

  test('sabotaged twin: with single control one administrator raises the return', async () => {
    await setDualControl(scene.gateway, 'single')
    const id = await createPlan(createPlanTerms(3_650))
    await expectOk(changePlan(id, { percentage: 500 }))
    expect(await findPlan(id)).toMatchObject({ percentage: 500 })
  })
})
