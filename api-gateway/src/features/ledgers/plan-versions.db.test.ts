import { type Command, createId, type LedgerClient } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFundedUser, addSecondLedger } from '../../../testing/further-ledger.ts'
import { type Scene, startScene } from '../../../testing/scene.ts'
import { createLedgerHomes } from '../../platform/ledger-client/ledger-homes.ts'
import { createSiteClient } from '../../platform/ledger-client/site-client.ts'
import { createSiteLedgers } from '../../platform/ledger-client/site-ledgers.ts'

let scene: Scene
let first: LedgerClient
let further: LedgerClient
let site: LedgerClient
let investorId: string
beforeAll(async () => {
  scene = await startScene({ LEDGERS: '2' })
  const { db, deps, otherLedger } = scene.gateway
  first = otherLedger(1)
  further = otherLedger(2)
  await addSecondLedger(db)
  const homes = createLedgerHomes(db, deps.clock)
  site = createSiteClient(createSiteLedgers({ first: 1, homes, connect: otherLedger }))
  await further.copyRules({ from: 1 })
  investorId = await addFundedUser({ db, client: site }, { ledger: 2, amountMinor: 90_000n })
})
afterAll(() => scene?.gateway.stop())

const ALL = { includeArchived: true }
const rest = { actor: 'admin:ada', key: null, requestId: null, effectiveAt: null }

async function record(command: Pick<Command, 'type' | 'data'>): Promise<void> {
  // The cast is safe, because the type and the data come from one literal.
  const answer = await site.submit({ ...command, ...rest } as Command)
  expect([command.type, answer.outcome]).toEqual([command.type, 'recorded'])
}

/** Halves the profit of the plan in the first ledger. */
async function changePlan(): Promise<void> {
  const { plans } = await first.ask('plans', ALL)
  const plan = plans.find(({ planId }) => planId === scene.planId)
  if (plan === undefined) throw new Error('there is no plan')
  const { planId, version: _version, definedAt: _definedAt, ...terms } = plan
  await record({
    type: 'DefinePlan',
    data: { planId, terms: { ...terms, profitPpm: terms.profitPpm / 2 } },
  })
}

const buy = (ledger: LedgerClient, planVersion: number | null = null) =>
  ledger.submit({
    type: 'OpenInvestment',
    data: {
      investmentId: createId(Date.now()),
      investorId,
      planId: scene.planId,
      amountMinor: 10_000n,
      planVersion,
    },
    ...rest,
    actor: `user:${investorId}`,
  })

test('a purchase at a further ledger is refused while it has older terms', async () => {
  await changePlan()
  expect(await buy(site)).toMatchObject({ outcome: 'refused', code: 'TERMS_CHANGED' })
  await further.copyRules({ from: 1 })
  expect(await buy(site)).toMatchObject({ event: { data: { planVersion: '2' } } })
})

test('sabotaged twin: without the version of the first ledger, the older terms are sold', async () => {
  await changePlan()
  expect(await buy(further)).toMatchObject({ event: { data: { planVersion: '2' } } })
  const { plans } = await first.ask('plans', ALL)
  expect(plans.find(({ planId }) => planId === scene.planId)?.version).toBe(3)
})

test('a purchase that names the older terms of a further ledger is refused', async () => {
  const plans = [await first.ask('plans', ALL), await further.ask('plans', ALL)]
  const [now, older] = plans.map(
    (answer) => answer.plans.find(({ planId }) => planId === scene.planId)?.version ?? 0,
  )
  expect(older).toBe((now ?? 0) - 1)
  expect(await buy(site, older)).toMatchObject({ outcome: 'refused', code: 'TERMS_CHANGED' })
  // Sabotaged twin: the further ledger alone sells them.
  expect(await buy(further, older)).toMatchObject({ outcome: 'recorded' })
  await further.copyRules({ from: 1 })
  expect(await buy(site, older)).toMatchObject({ outcome: 'refused', code: 'TERMS_CHANGED' })
  expect(await buy(site, now)).toMatchObject({ event: { data: { planVersion: String(now) } } })
})
