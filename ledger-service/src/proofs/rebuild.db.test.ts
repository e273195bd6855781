import { createId } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createFundedInvestor,
  DAY_MS,
  plan30Days,
  requireRecorded,
  startTestLedger,
  type TestLedger,
} from '../../test/support/test-ledger.ts'
import { model } from '../domain/model.ts'
import { createPool } from '../service/database/pool.ts'
import { type Rebuilt, rebuildProjections } from './rebuild.ts'

let ledger: TestLedger
let investorId: string
beforeAll(async () => {
  ledger = await startTestLedger()
  investorId = await createFundedInvestor(ledger, { amountMinor: 100_000n })
  const [planId, investmentId] = [createId(ledger.clock.now()), createId(ledger.clock.now() + 1)]
  await requireRecorded(ledger.submit('DefinePlan', { planId, terms: plan30Days }))
  const purchase = { investmentId, investorId, planId, amountMinor: 50_000n, planVersion: null }
  await requireRecorded(ledger.submit('OpenInvestment', purchase))
  ledger.clock.set(Date.now() + 3 * DAY_MS)
  await requireRecorded(ledger.submit('AccrueThrough', { investmentId, units: 3 }))
})
afterAll(() => ledger.close())

async function runRebuild(isRepairing: boolean): Promise<Rebuilt> {
  const pool = createPool({ url: ledger.database.url, max: 1, name: 'rebuild' })
  try {
    return await rebuildProjections(pool, { ledger: 1, model, isRepairing })
  } finally {
    await pool.end()
  }
}

test('every stored projection can be computed from the log alone', async () => {
  const { events, rows, differences } = await runRebuild(false)
  expect(events).toBe(5n)
  expect(rows).toBeGreaterThan(10)
  expect(differences).toEqual([])
})

test('a change in a projection is found, and repaired while a writer runs', async () => {
  await ledger.runSql(`update ledger.balance set balance_minor = balance_minor + 1
                    where account like 'investor:%:balance'`)
  await ledger.runSql(`update ledger.investment set units_done = 9, next_due_at = null`)
  await ledger.runSql(`insert into ledger.balance values (1, 'cash:ghost', 5, null, 0)`)
  await ledger.runSql(`delete from ledger.plan`)
  await ledger.runSql(`insert into ledger.past_total values (1, 3, '{"cash": "1"}')`)
  const found = await runRebuild(false)
  expect(found.isRepaired).toBe(false)
  expect(found.differences.map((line) => line.split(' ')[0]).sort()).toEqual([
    'balance',
    'balance',
    'investment',
    'past_total',
    'plan',
  ])

  expect((await runRebuild(true)).isRepaired).toBe(true)
  expect((await runRebuild(false)).differences).toEqual([])
  expect((await ledger.ask('check', {})).problems).toEqual([])

  // The rebuild replaced the fencing token. The writer must therefore reload the stored state
  // before it continues.
  const gift = { wallet: 'balance', category: null, reason: null } as const
  const transactionId = createId(ledger.clock.now())
  const data = { transactionId, investorId, amountMinor: 700n, ...gift }
  await requireRecorded(ledger.submit('FundWallet', data))
  expect((await runRebuild(false)).differences).toEqual([])
})
