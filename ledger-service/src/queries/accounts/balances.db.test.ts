import { account, createId, type QueryRequest } from '@cairn/ledger-contracts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plainRules } from '../../../test/support/rule-book.ts'
import {
  createFundedInvestor,
  requireRecorded,
  startTestLedger,
  type TestLedger,
} from '../../../test/support/test-ledger.ts'

const MINUTE_MS = 60_000

let ledger: TestLedger
let code: string
const startMs = Date.now()
const amounts = [500n, 700n, 900n, 1_100n, 1_300n, 1_500n]
beforeAll(async () => {
  ledger = await startTestLedger()
  ledger.clock.set(startMs)
  const investorId = await createFundedInvestor(ledger, { amountMinor: 0n })
  code = account.getAvailableCode(investorId, 'balance')
  const gift = { investorId, wallet: 'balance', category: null, reason: null } as const
  for (const [minute, amountMinor] of amounts.entries()) {
    ledger.clock.set(startMs + (minute + 1) * MINUTE_MS)
    const transactionId = createId(ledger.clock.now())
    await requireRecorded(ledger.submit('FundWallet', { ...gift, transactionId, amountMinor }))
  }
})
afterAll(() => ledger.close())

test('a statement lists postings from the newest back, each with the balance after it', async () => {
  const first = await ledger.ask('statement', { account: code, before: null, limit: 4 })
  expect(first.lines.map(({ balanceAfterMinor }) => balanceAfterMinor)).toEqual([
    6_000n,
    4_500n,
    3_200n,
    2_100n,
  ])
  const before = first.lines.at(-1)?.seq ?? null
  const second = await ledger.ask('statement', { account: code, before, limit: 4 })
  expect(second.lines.map(({ amountMinor }) => amountMinor)).toEqual([700n, 500n])
  expect(second.lines[0]?.type).toBe('WalletFunded')
})

test('whole events end a page that would split an event with two postings of the account', async () => {
  const payer = await createFundedInvestor(ledger, { amountMinor: 0n })
  await requireRecorded(
    ledger.submit('SetMoneyRules', { rules: { ...plainRules, depositFeePpm: 50_000 } }),
  )
  const deposit = { method: 'Bank Transfer', paymentOptionId: 'harbor', receiptId: 'r' }
  for (const amountMinor of [10_000n, 20_000n]) {
    const transactionId = createId(ledger.clock.now())
    const request = { ...deposit, transactionId, investorId: payer, amountMinor }
    await requireRecorded(
      ledger.submit('RequestDeposit', { ...request, receiptSha256: 'a'.repeat(43) }),
    )
    const approval = { transactionId, paymentOptionId: null, approvedMinor: amountMinor }
    await requireRecorded(ledger.submit('ApproveDeposit', approval))
  }
  const cash = account.getCashCode('harbor')
  const readAll = async (page: { wholeEvents?: true }) => {
    const amounts: number[] = []
    let before: bigint | null = null
    do {
      const request: QueryRequest<'statement'> = { account: cash, before, limit: 1, ...page }
      const { lines } = await ledger.ask('statement', request)
      amounts.push(...lines.map(({ amountMinor }) => Number(amountMinor)))
      before = lines.at(-1)?.seq ?? null
    } while (before !== null)
    return amounts.toSorted((one, other) => one - other)
  }
  expect(await readAll({ wholeEvents: true })).toEqual([-19_000, -9_500, -1_000, -500])
  // Its sabotaged twin: pages of single postings lose the other posting of each event.
  expect(await readAll({})).toHaveLength(2)
})

test('the balance at any time is the sum of the postings recorded until then', async () => {
  const { lines } = await ledger.ask('statement', { account: code, before: null, limit: 100 })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: -MINUTE_MS, max: 8 * MINUTE_MS }), async (offsetMs) => {
      const at = new Date(startMs + offsetMs).toISOString()
      const expected = lines
        .filter(({ recordedAt }) => recordedAt <= at)
        .reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
      expect((await ledger.ask('balance', { account: code, at })).balanceMinor).toBe(expected)
    }),
    { numRuns: 60 },
  )
  expect((await ledger.ask('balance', { account: code, at: null })).balanceMinor).toBe(6_000n)
})
