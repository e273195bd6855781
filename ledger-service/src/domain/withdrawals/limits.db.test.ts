import { type Answer, createId } from '@cairn/ledger-contracts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { recordFigure } from '../../../test/support/figure.ts'
import { plainRules } from '../../../test/support/rule-book.ts'
import {
  createFundedInvestor,
  DAY_MS,
  requireRecorded,
  startTestLedger,
  type TestLedger,
} from '../../../test/support/test-ledger.ts'
import type { Model } from '../../log/model.ts'
import { rebuildProjections } from '../../proofs/rebuild.ts'
import { createPool } from '../../service/database/pool.ts'
import { investorTable } from '../investors/investor.ts'
import { model } from '../model.ts'

const AT_ONCE = 20
const AMOUNT_MINOR = 10_000n
const LIMIT_MINOR = 70_000n
const bank = { source: 'balance', bankAccountId: 'b', bankAccountSha256: 'b'.repeat(64) } as const
const rules = { ...plainRules, dailyWithdrawalLimitMinor: LIMIT_MINOR }

let ledger: TestLedger
let investorId: string
beforeEach(() => startLedger())
afterEach(() => ledger.close())

/** The clock starts at noon, so that the day does not end during a test. */
async function startLedger(parts: { model?: Model } = {}): Promise<void> {
  ledger = await startTestLedger(parts)
  ledger.clock.set(Date.parse('2026-03-10T12:00:00.000Z'))
  investorId = await createFundedInvestor(ledger, { amountMinor: 1_000_000n })
  await requireRecorded(ledger.submit('SetMoneyRules', { rules }))
}

function requestWithdrawal(amountMinor = AMOUNT_MINOR): Promise<Answer> {
  const transactionId = createId(Date.now())
  return ledger.submit('RequestWithdrawal', { ...bank, transactionId, investorId, amountMinor })
}

async function requestConcurrently(): Promise<readonly string[]> {
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => requestWithdrawal()))
  return answers.map((answer) => ('code' in answer ? answer.code : answer.outcome))
}

async function rebuildAndCompare(isRepairing = false): Promise<readonly string[]> {
  const pool = createPool({ url: ledger.database.url, max: 1, name: 'rebuild' })
  const rebuilt = await rebuildProjections(pool, { ledger: 1, model, isRepairing })
  await pool.end()
  return rebuilt.differences
}

test('twenty concurrent requests use exactly the limit', async ({ task }) => {
  const codes = await requestConcurrently()
  expect(codes.filter((code) => code === 'recorded')).toHaveLength(7)
  expect(codes.filter((code) => code === 'WITHDRAWAL_LIMIT')).toHaveLength(13)
  const { investors } = await ledger.ask('investors', { investorIds: [investorId] })
  expect(investors[0]?.counted).toEqual({
    day: '2026-03-10',
    dayMinor: LIMIT_MINOR,
    monthMinor: LIMIT_MINOR,
  })
  expect(await rebuildAndCompare()).toEqual([])
  recordFigure(task, `7 of ${AT_ONCE} recorded`)
})

test('sabotaged twin: a ledger that forgets requests allows more', async () => {
  await ledger.close()
  await startLedger({
    model: {
      ...model,
      decide: (command, view, context) => {
        const find: typeof view.find = (table, key) => {
          const row = view.find(table, key)
          if (table.name !== investorTable.name || row === null) return row
          return { ...row, dayWithdrawalsMinor: 0n }
        }
        return model.decide(command, { ...view, find }, context)
      },
    },
  })
  const codes = await requestConcurrently()
  expect(codes.filter((code) => code === 'recorded')).toHaveLength(AT_ONCE)
})

test('the next process reads the counted amounts from the tables', async () => {
  await ledger.submit('SetMoneyRules', { rules: { ...rules, dailyWithdrawalLimitMinor: 15_000n } })
  expect(await requestWithdrawal()).toMatchObject({ outcome: 'recorded' })
  const { database, clock } = ledger
  const next = await startTestLedger({ database })
  next.clock.set(clock.now())
  const request = { ...bank, transactionId: createId(Date.now()), investorId, amountMinor: 5_001n }
  expect(await next.submit('RequestWithdrawal', request)).toMatchObject({
    code: 'WITHDRAWAL_LIMIT',
    details: { period: 'day', leftMinor: '5000' },
  })
  await next.close()
})

test('a rebuild restores lost withdrawal sums from the log, without declined requests', async () => {
  const rest = { paymentOptionId: null, payoutReference: null, bankAccountSha256: 'b'.repeat(64) }
  const requestAndGetId = async () => {
    const { event } = await requireRecorded(requestWithdrawal())
    // The event of the request contains the id of the transaction.
    return (event.data as { transactionId: string }).transactionId
  }
  for (const days of [0, 1, 30, 1]) {
    ledger.clock.set(ledger.clock.now() + days * DAY_MS)
    const [paid, declined] = [await requestAndGetId(), await requestAndGetId()]
    await requireRecorded(ledger.submit('ApproveWithdrawal', { transactionId: paid, ...rest }))
    await requireRecorded(
      ledger.submit('DeclineWithdrawal', { transactionId: declined, reason: null }),
    )
  }
  const paidInvestorId = investorId
  // The only request of this investor is declined, so the sums of the investor are zero.
  investorId = await createFundedInvestor(ledger, { amountMinor: 100_000n })
  const transactionId = await requestAndGetId()
  await requireRecorded(ledger.submit('DeclineWithdrawal', { transactionId, reason: null }))
  expect(await rebuildAndCompare()).toEqual([])
  await ledger.runSql(`update ledger.investor
    set withdrawal_day = null, day_withdrawals_minor = 0, month_withdrawals_minor = 0`)
  expect(await rebuildAndCompare()).toHaveLength(2)
  await rebuildAndCompare(true)
  expect(await rebuildAndCompare()).toEqual([])
  const { investors } = await ledger.ask('investors', { investorIds: [paidInvestorId, investorId] })
  expect(investors.map(({ counted }) => counted)).toEqual([
    { day: '2026-04-11', dayMinor: AMOUNT_MINOR, monthMinor: 2n * AMOUNT_MINOR },
    { day: '2026-04-11', dayMinor: 0n, monthMinor: 0n },
  ])
})
