import { createId } from '@cairn/ledger-contracts'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { startAccruals } from '../src/service/jobs/accrual-worker.ts'
import { startJobs } from '../src/service/jobs/boss.ts'
import { startMonthEnds } from '../src/service/jobs/month-ends.ts'
import { type HttpLedger, type HttpLedgers, startHttpLedgers } from './support/http-ledgers.ts'
import { createFundedInvestor, DAY_MS, plan30Days, requireRecorded } from './support/test-ledger.ts'

const log = pino({ level: 'silent' })
const START_MS = Date.parse('2026-09-29T12:00:00.000Z')

let service: HttpLedgers
let ledgers: readonly HttpLedger[]
afterEach(async () => {
  for (const { close } of ledgers) await close()
  await service.close()
})

/** Opens an investment of 500.00 and advances the clock, so that profit is due. */
async function openInvestment({ ledger }: HttpLedger): Promise<string> {
  ledger.clock.set(START_MS)
  const investorId = await createFundedInvestor(ledger, { amountMinor: 100_000n })
  const [planId, investmentId] = [createId(START_MS), createId(START_MS + 1)]
  await requireRecorded(ledger.submit('DefinePlan', { planId, terms: plan30Days }))
  const purchase = { investmentId, investorId, planId, amountMinor: 50_000n, planVersion: null }
  await requireRecorded(ledger.submit('OpenInvestment', purchase))
  ledger.clock.set(START_MS + 3 * DAY_MS)
  return investorId
}

test('one worker accrues in every ledger of the installation, and closes the months of each', async () => {
  service = await startHttpLedgers()
  ledgers = [await service.open(), await service.open()]
  const investors = await Promise.all(ledgers.map(openInvestment))
  const [first] = ledgers
  if (first === undefined) throw new Error('no ledger')
  const boss = await startJobs({
    databaseUrl: first.ledger.database.urlFor('cairn_ledger_worker'),
    log,
  })
  const clients = ledgers.map(({ client }) => client)
  await startAccruals({ boss, ledgers: clients, clock: first.ledger.clock, log })
  await startMonthEnds({ boss, ledgers: clients, log })
  await boss.send('accruals.accrue-due', {})
  for (const [index, client] of clients.entries()) {
    const investorIds = [investors[index] ?? '']
    await expect
      .poll(() => client.ask('investors', { investorIds }))
      .toMatchObject({ investors: [{ available: { profit: 250n } }] })
    await expect
      .poll(() => client.ask('trialBalances', { before: null, limit: 5 }))
      .toMatchObject({ trialBalances: [{ month: '2026-09' }] })
  }
  await boss.stop({ graceful: true, timeout: 5_000 })
})
