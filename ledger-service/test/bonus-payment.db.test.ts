import { account, createId } from '@cairn/ledger-contracts'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { payDueBonuses } from '../src/service/jobs/bonus-payment.ts'
import { plainRules } from './support/rule-book.ts'
import {
  createFundedInvestor,
  HOUR_MS,
  plan30Days,
  requireRecorded,
  startTestLedger,
  type TestLedger,
} from './support/test-ledger.ts'

const INVESTMENTS = 3
const BONUS_MINOR = 100n

let ledger: TestLedger
let referrerId: string

beforeAll(async () => {
  ledger = await startTestLedger()
  const planId = createId(ledger.clock.now())
  await requireRecorded(ledger.submit('DefinePlan', { planId, terms: plan30Days }))
  const rules = { ...plainRules, coolingOffHours: 24 }
  await requireRecorded(ledger.submit('SetMoneyRules', { rules }))
  referrerId = await createFundedInvestor(ledger, { amountMinor: 0n })
  const investorId = await createFundedInvestor(ledger, { amountMinor: 100_000n, referrerId })
  for (let made = 0; made < INVESTMENTS; made += 1) {
    const investmentId = createId(ledger.clock.now())
    const purchase = { investmentId, investorId, planId, amountMinor: 10_000n, planVersion: null }
    await requireRecorded(ledger.submit('OpenInvestment', purchase))
  }
})
afterAll(() => ledger?.close())

function runPayment(nowMs = ledger.clock.now()): Promise<void> {
  return payDueBonuses({
    ledger: {
      ask: ledger.ask,
      submitBriefly: async (commands) => {
        const answering = ledger.parts.writer.submit(commands, 'bulk')
        if (answering === null) throw new Error('the writer is full')
        const answers = await answering
        return answers.map((answer) => ({
          outcome: answer.outcome,
          code: answer.outcome === 'refused' ? answer.code : null,
        }))
      },
    },
    clock: { now: () => nowMs },
    log: pino({ level: 'silent' }),
  })
}

async function readEarnings(): Promise<bigint> {
  const { investors } = await ledger.ask('investors', { investorIds: [referrerId] })
  return investors[0]?.available.referral ?? -1n
}

describe('the payment of referral bonuses', () => {
  test('pays each bonus once, however often it runs', async () => {
    await runPayment()
    expect(await readEarnings()).toBe(0n)
    // The ledger, whose clock is behind, refuses all payments. The run ends without an error.
    await runPayment(ledger.clock.now() + 24 * HOUR_MS)
    expect(await readEarnings()).toBe(0n)
    ledger.clock.set(ledger.clock.now() + 24 * HOUR_MS)
    await Promise.all([runPayment(), runPayment()])
    await runPayment()
    expect(await readEarnings()).toBe(BigInt(INVESTMENTS) * BONUS_MINOR)
    const paid = await ledger.runSql('select 1 from ledger.posting where account = $1', [
      account.getAvailableCode(referrerId, 'referral'),
    ])
    expect(paid).toHaveLength(INVESTMENTS)
  })
})
