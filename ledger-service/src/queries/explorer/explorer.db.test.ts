import { ALL_TRANSACTIONS, account, createId } from '@cairn/ledger-contracts'
import { openKeys, verifyReceipt } from '@cairn/ledger-contracts/proof'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createFundedInvestor,
  DAY_MS,
  plan30Days,
  requireRecorded,
  startTestLedger,
  type TestLedger,
} from '../../../test/support/test-ledger.ts'
import { ALL_EVENTS } from './events.ts'

let ledger: TestLedger
let referrerId: string
let investorId: string
let investmentId: string
const planId = createId(Date.now())
beforeAll(async () => {
  ledger = await startTestLedger()
  ledger.clock.set(Date.now())
  await requireRecorded(ledger.submit('DefinePlan', { planId, terms: plan30Days }))
  referrerId = await createFundedInvestor(ledger, { amountMinor: 0n })
  investorId = await createFundedInvestor(ledger, { amountMinor: 100_000n, referrerId })
  investmentId = createId(ledger.clock.now())
  const opening = { investmentId, investorId, planId, amountMinor: 50_000n, planVersion: null }
  await requireRecorded(ledger.submit('OpenInvestment', opening))
  await requireRecorded(ledger.submit('PayReferralBonus', { investmentId }))
  for (const days of [1, 2, 3]) {
    ledger.clock.set(Date.now() + days * DAY_MS + 60_000)
    await requireRecorded(ledger.submit('AccrueThrough', { investmentId, units: days }))
  }
})
afterAll(() => ledger.close())

const listTypes = async (filter: object) => {
  const { events } = await ledger.ask('events', { ...ALL_EVENTS, ...filter })
  return events.map(({ type }) => type)
}

test('the log is read newest first and paged by event number', async () => {
  const all = await ledger.ask('events', ALL_EVENTS)
  expect(all.events.map(({ seq }) => seq)).toEqual(
    Array.from({ length: Number(all.size) }, (_, index) => all.size - 1n - BigInt(index)),
  )
  expect(all.next).toBeNull()
  const first = await ledger.ask('events', { ...ALL_EVENTS, limit: 3 })
  const rest = await ledger.ask('events', { ...ALL_EVENTS, before: first.next })
  expect([...first.events, ...rest.events]).toEqual(all.events)
})

test('each filter returns only matching events', async () => {
  expect(await listTypes({ type: 'PlanDefined' })).toEqual(['PlanDefined'])
  expect(await listTypes({ actor: 'admin:nobody' })).toEqual([])
  expect(await listTypes({ account: account.getAvailableCode(investorId, 'profit') })).toEqual(
    Array(3).fill('ProfitAccrued'),
  )
  expect(await listTypes({ investorId })).toEqual([
    ...Array(3).fill('ProfitAccrued'),
    'InvestmentOpened',
    'WalletFunded',
    'InvestorActivated',
  ])
  expect(await listTypes({ amountMinor: 100_000n })).toEqual(['WalletFunded'])
  expect(await listTypes({ amountMinor: -83n })).toEqual(['ProfitAccrued', 'ProfitAccrued'])
  const to = new Date(Date.now() + DAY_MS / 2).toISOString()
  expect(await listTypes({ type: 'ProfitAccrued', to })).toEqual([])
  expect(await listTypes({ type: 'ProfitAccrued', from: to })).toHaveLength(3)
})

test('a reference leads to the events of its transaction', async () => {
  const { transactions } = await ledger.ask('transactions', {
    ...ALL_TRANSACTIONS,
    investorIds: [investorId],
    limit: 50,
    purpose: 'purchase',
  })
  expect(transactions).toHaveLength(1)
  for (const { reference } of transactions) {
    expect(await listTypes({ reference })).toEqual(['InvestmentOpened'])
    expect(await listTypes({ reference: reference.slice(0, -1) })).toEqual([])
  }
})

test('one event is returned with the bytes that its receipt proves', async () => {
  const found = await ledger.ask('event', { seq: 4n })
  const keys = openKeys(found.verifierKeys)
  const verified = await verifyReceipt(found.receipt ?? '', keys)
  expect(JSON.stringify(verified.event)).toBe(found.bytes)
  await expect(ledger.ask('event', { seq: 10_000n })).resolves.toMatchObject({ event: null })
})

test('an investment has its own timeline', async () => {
  const { events, isCut } = await ledger.ask('investmentEvents', { investmentId })
  expect(events.map(({ type }) => type)).toEqual([
    'InvestmentOpened',
    ...Array(3).fill('ProfitAccrued'),
  ])
  expect(isCut).toBe(false)
})

test('accounts are listed by name and add up to zero', async () => {
  const first = await ledger.ask('accounts', { prefix: '', after: null, limit: 3 })
  const rest = await ledger.ask('accounts', { prefix: '', after: first.next, limit: 500 })
  const all = [...first.accounts, ...rest.accounts]
  expect(all.map((row) => row.account)).toEqual(all.map((row) => row.account).toSorted())
  expect(all.reduce((sum, { balanceMinor }) => sum + balanceMinor, 0n)).toBe(0n)
  const own = await ledger.ask('accounts', {
    prefix: `investor:${investorId}:`,
    after: null,
    limit: 500,
  })
  expect(own.accounts).toHaveLength(3)

  const now = await ledger.ask('trialBalance', { at: null })
  expect(Object.values(now.totals).reduce((sum, total) => sum + total, 0n)).toBe(0n)
  expect(now.totals.principal).toBe(50_000n)
  const added = await ledger.ask('trialBalance', { at: '2100-01-01T00:00:00Z' })
  expect(now).toEqual(added)
  const before = await ledger.ask('trialBalance', { at: '2020-01-01T00:00:00Z' })
  expect(before).toEqual({ seq: -1n, totals: {} })
})

test('maturities and referral earnings are returned as sums', async () => {
  const now = new Date(ledger.clock.now()).toISOString()
  const { overdue, byDay, later } = await ledger.ask('maturities', { now, days: 60 })
  expect(overdue.count + later.count).toBe(0)
  expect(byDay.filter(({ count }) => count > 0)).toMatchObject([
    { count: 1, principalMinor: 50_000n, outstandingMinor: 2_500n - 250n },
  ])
  const ask = (investorIds: string[]) => ledger.ask('referralEarnings', { referrerId, investorIds })
  const { earnings } = await ask([investorId, referrerId])
  expect(earnings).toEqual([{ investorId, investments: 1, earnedMinor: 500n }])
  expect((await ask([referrerId])).earnings).toEqual([])
})

test('every checkpoint is listed', async () => {
  await ledger.ask('event', { seq: 0n })
  const { checkpoints, verifierKeys } = await ledger.ask('checkpoints', { before: null, limit: 10 })
  expect(checkpoints.length).toBeGreaterThan(0)
  expect(verifierKeys).toHaveLength(1)
})

test('the waiting time of requests is measured to the millisecond', async () => {
  // The waiting time of the request that the investor cancels. Cancelled requests are not counted.
  const TAKEN_BACK_MS = 60_000
  const atMs = ledger.clock.now()
  for (const waitedMs of [1_000, 2_000, 30_000, TAKEN_BACK_MS]) {
    const transactionId = createId(atMs)
    ledger.clock.set(atMs + waitedMs)
    const request = {
      transactionId,
      investorId,
      amountMinor: 5_000n,
      method: 'Bank Transfer',
      paymentOptionId: null,
      receiptId: 'receipt',
      receiptSha256: 'a'.repeat(64),
    }
    const effectiveAt = new Date(atMs).toISOString()
    await requireRecorded(ledger.submit('RequestDeposit', request, { effectiveAt }))
    await requireRecorded(
      waitedMs === TAKEN_BACK_MS
        ? ledger.submit('CancelDeposit', { transactionId, investorId })
        : ledger.submit('DeclineDeposit', { transactionId, reason: null }),
    )
  }
  // The wait of a reversed request is not known, and the time of its reversal is not counted.
  const reversedId = createId(atMs)
  const place = { transactionId: reversedId, paymentOptionId: null }
  await requireRecorded(
    ledger.submit('RequestDeposit', {
      ...place,
      investorId,
      amountMinor: 5_000n,
      method: 'Bank Transfer',
      receiptId: 'receipt-2',
      receiptSha256: 'b'.repeat(64),
    }),
  )
  await requireRecorded(ledger.submit('ApproveDeposit', { ...place, approvedMinor: 5_000n }))
  ledger.clock.set(ledger.clock.now() + 3_600_000)
  const reversal = { ...place, to: 'declined', reason: 'it bounced' } as const
  await requireRecorded(ledger.submit('ReverseDeposit', reversal))
  const from = new Date(atMs - 1_000).toISOString()
  const none = await ledger.ask('decisionTimes', { from, type: 'withdrawal' })
  expect(none).toEqual({ count: 0, medianMs: 0, p90Ms: 0 })
  const asked = { from }
  expect(await ledger.ask('decisionTimes', { from, type: 'deposit' })).toEqual(
    await ledger.ask('decisionTimes', asked),
  )
  const { count, medianMs, p90Ms } = await ledger.ask('decisionTimes', asked)
  expect(count).toBe(3)
  const byMethod = (method: string) => ledger.ask('decisionTimes', { from, method })
  expect((await byMethod('Bank Transfer')).count).toBe(3)
  expect((await byMethod('Crypto Wallet')).count).toBe(0)
  expect(medianMs).toBeGreaterThanOrEqual(2_000)
  expect(medianMs).toBeLessThan(30_000)
  expect(p90Ms).toBeGreaterThanOrEqual(30_000)
})

test('the sample receipt is of the newest plan on offer', async () => {
  const findSeq = async () => {
    const { receipt } = await ledger.ask('planReceipt', {})
    if (receipt === null) return null
    const { verifierKeys } = await ledger.ask('checkpoint', {})
    const { event } = await verifyReceipt(receipt, openKeys(verifierKeys))
    return event.seq
  }
  const older = await findSeq()
  const other = createId(ledger.clock.now())
  const submit = (terms: object) =>
    requireRecorded(
      ledger.submit('DefinePlan', { planId: other, terms: { ...plan30Days, ...terms } }),
    )
  const { event } = await submit({})
  expect(await findSeq()).toBe(String(event.seq))
  await submit({ isArchived: true })
  expect(await findSeq()).toBe(older)
  const closed = { planId, terms: { ...plan30Days, isArchived: true } }
  await requireRecorded(ledger.submit('DefinePlan', closed))
  expect(await findSeq()).toBeNull()
})
