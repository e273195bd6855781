import { createId, type QueryRequest } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createFundedInvestor,
  plan30Days,
  requireRecorded,
  startTestLedger,
  type TestLedger,
} from '../../../test/support/test-ledger.ts'

const ORDERS = ['newest', 'oldest', 'largest', 'smallest'] as const
const EVERYTHING = {
  investorIds: null,
  from: null,
  to: null,
  q: null,
  offset: 0,
  limit: 1_000,
  order: 'newest',
  status: null,
} as const satisfies Omit<QueryRequest<'transactions'>, 'type'>
// The bounds include all rows. Because the query has bounds, it sums the rows and does not read
// control totals.
const ALL_TIME = { from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }

// A time at which no reference begins with a digit that a search for an amount begins with.
const NOW_MS = Date.parse('2026-11-29T12:00:00Z')

let ledger: TestLedger
beforeAll(async () => {
  ledger = await startTestLedger({ now: () => NOW_MS })
  const planId = createId(NOW_MS)
  const terms = { ...plan30Days, minimumMinor: 1n }
  await requireRecorded(ledger.submit('DefinePlan', { planId, terms }))
  for (const amountMinor of [500n, 500n, 300n, 900n, 500n, 700n]) {
    const investorId = await createFundedInvestor(ledger, { amountMinor })
    const investmentId = createId(NOW_MS)
    const opening = { investmentId, investorId, planId, planVersion: null }
    await requireRecorded(
      ledger.submit('OpenInvestment', { ...opening, amountMinor: amountMinor / 2n }),
    )
  }
})
afterAll(() => ledger.close())

describe.each(ORDERS)('in the order of the %s', (order) => {
  test('pages after a row together equal one large page', async () => {
    const filter = { ...EVERYTHING, type: null, order }
    const whole = await ledger.ask('transactions', filter)
    const pages = []
    let after: string | undefined
    do {
      const page = await ledger.ask('transactions', { ...filter, limit: 2, after })
      pages.push(...page.transactions)
      after = page.transactions.at(-1)?.transactionId
    } while (after !== undefined)
    expect(pages).toEqual(whole.transactions)
    expect(whole.transactions).toHaveLength(12)
  })

  test('pages before a row, from the last one back, equal one large page', async () => {
    const filter = { ...EVERYTHING, type: null, order }
    const whole = await ledger.ask('transactions', filter)
    const [last] = whole.transactions.slice(-1)
    const pages = last === undefined ? [] : [last]
    for (;;) {
      const before = pages[0]?.transactionId
      const page = await ledger.ask('transactions', { ...filter, limit: 3, before })
      if (page.transactions.length === 0) break
      pages.unshift(...page.transactions)
    }
    expect(pages).toEqual(whole.transactions)
  })

  test('pages at the place of a row are those before and after the row', async () => {
    const filter = { ...EVERYTHING, type: null, order }
    const { transactions } = await ledger.ask('transactions', filter)
    const row = transactions[5]
    if (row === undefined) throw new Error('there are too few transactions')
    const list = async (isBefore: boolean, isIncluded: boolean) => {
      const border = { at: row.createdAt, amountMinor: row.amountMinor, isBefore, isIncluded }
      return (await ledger.ask('transactions', { ...filter, border })).transactions
    }
    const isTime = order === 'newest' || order === 'oldest'
    const isSame = (other: typeof row) =>
      isTime ? other.createdAt === row.createdAt : other.amountMinor === row.amountMinor
    const same = transactions.filter(isSame)
    const start = transactions.indexOf(same[0] ?? row)
    const end = start + same.length
    expect(await list(false, true)).toEqual(transactions.slice(start))
    expect(await list(false, false)).toEqual(transactions.slice(end))
    expect(await list(true, true)).toEqual(transactions.slice(0, end))
    expect(await list(true, false)).toEqual(transactions.slice(0, start))
    const border = { at: row.createdAt, amountMinor: row.amountMinor, isBefore: true }
    const page = { ...filter, limit: 2, border: { ...border, isIncluded: true } }
    const last = await ledger.ask('transactions', page)
    expect(last.transactions).toEqual(transactions.slice(Math.max(0, end - 2), end))
  })

  test('investments before a row are those of the previous page', async () => {
    const filter = { ...EVERYTHING, order }
    const { investments } = await ledger.ask('investments', filter)
    const before = investments[4]?.investmentId
    const page = await ledger.ask('investments', { ...filter, limit: 3, before })
    expect(page.investments).toEqual(investments.slice(1, 4))
  })

  test('pages of investments equal one large page', async () => {
    const filter = { ...EVERYTHING, order }
    const whole = await ledger.ask('investments', filter)
    const pages = []
    let after: string | undefined
    do {
      const page = await ledger.ask('investments', { ...filter, limit: 2, after })
      pages.push(...page.investments)
      after = page.investments.at(-1)?.investmentId
    } while (after !== undefined)
    expect(pages).toEqual(whole.investments)
    expect(whole.investments).toHaveLength(6)
  })
})

test('a list of no investors has no rows', async () => {
  const filter = { ...EVERYTHING, investorIds: [] }
  expect(await ledger.ask('transactions', { ...filter, type: null })).toEqual({
    transactions: [],
    total: 0,
    totalMinor: 0n,
  })
  const found = await ledger.ask('investments', filter)
  expect(found).toMatchObject({ investments: [], total: 0, investedMinor: 0n, activeCount: 0 })
})

test.each([
  ['9', 1],
  ['9.0', 1],
  ['$9.00', 1],
  ['€9', 1],
  ['CA$9', 1],
  ['NGN 9.00', 1],
  ['9.001', 0],
  ['XY9', 0],
])('a search for "%s" finds the amount', async (q, count) => {
  const { total } = await ledger.ask('transactions', { ...EVERYTHING, type: null, q })
  expect(total).toBe(count)
})

test('a search for a text also finds the rows of the people whom it names', async () => {
  const all = await ledger.ask('transactions', { ...EVERYTHING, type: null })
  const [newest] = all.transactions
  const namedInvestorIds = [newest?.investorId ?? '']
  const search = { ...EVERYTHING, q: '9', namedInvestorIds }
  const transactions = await ledger.ask('transactions', { ...search, type: null })
  expect(transactions.transactions.map(({ amountMinor }) => amountMinor)).toEqual([
    350n,
    700n,
    900n,
  ])
  expect(transactions).toMatchObject({ total: 3, totalMinor: 1_950n })
  const investments = await ledger.ask('investments', { ...search, q: '4.50' })
  expect(investments.investments.map(({ principalMinor }) => principalMinor)).toEqual([350n, 450n])
  expect(investments.investedMinor).toBe(800n)
})

test('the control totals equal the sums over the rows', async () => {
  for (const type of [null, 'transfer', 'deposit'] as const) {
    const filter = { ...EVERYTHING, type }
    const kept = await ledger.ask('transactions', filter)
    const summed = await ledger.ask('transactions', { ...filter, ...ALL_TIME })
    expect(kept).toEqual(summed)
  }
  for (const status of [null, 'active', 'denied'] as const) {
    const filter = { ...EVERYTHING, status }
    const kept = await ledger.ask('investments', filter)
    const summed = await ledger.ask('investments', { ...filter, ...ALL_TIME })
    expect(kept).toEqual(summed)
  }
})

describe('a page after a row whose amount has changed', () => {
  const filter = { ...EVERYTHING, type: 'deposit', order: 'largest' } as const
  const listIds = async (request: object) => {
    const { transactions } = await ledger.ask('transactions', { ...filter, ...request })
    return transactions.map(({ transactionId }) => transactionId)
  }
  const deposits: string[] = []
  beforeAll(async () => {
    const investorId = await createFundedInvestor(ledger, { amountMinor: 0n })
    const terms = { method: 'Bank Transfer', paymentOptionId: null, receiptSha256: 'a'.repeat(64) }
    for (const amountMinor of [9_000n, 8_000n, 8_000n, 7_000n]) {
      const transactionId = createId(Date.now())
      deposits.push(transactionId)
      const request = { ...terms, transactionId, investorId, amountMinor, receiptId: transactionId }
      await requireRecorded(ledger.submit('RequestDeposit', request))
    }
  })

  test('begins at the amount that the row had', async () => {
    const whole = await listIds({})
    expect(whole).toHaveLength(4)
    const [after = ''] = whole
    const approval = { transactionId: after, paymentOptionId: null, approvedMinor: 100n }
    await requireRecorded(ledger.submit('ApproveDeposit', approval))
    const stated = { after, afterAmountMinor: 9_000n }
    expect((await listIds(stated)).filter((id) => id !== after)).toEqual(whole.slice(1))
    // Its sabotaged twin: after the present amount of the row there are no rows.
    expect(await listIds({ after })).toEqual([])
    // Rows of the stated amount are in the order of their events.
    const [, second = '', third = ''] = whole
    expect((await listIds({ after: second, afterAmountMinor: 8_000n }))[0]).toBe(third)
  })
})
