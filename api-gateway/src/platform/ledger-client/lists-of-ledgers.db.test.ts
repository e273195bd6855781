import {
  ALL_TRANSACTIONS,
  createId,
  type LedgerTransaction,
  type QueryRequest,
} from '@cairn/ledger-contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addUserOfSecondLedger,
  fund,
  startGatewayOfTwoLedgers,
} from '../../../testing/further-ledger.ts'
import {
  addUser,
  openVisit,
  send,
  type TestGateway,
  type Visitor,
} from '../../../testing/test-gateway.ts'

const ORDERS = ['newest', 'oldest', 'largest', 'smallest'] as const
const SORTS = ['-createdAt', 'createdAt', '-amount', 'amount'] as const
const EVERYTHING = { ...ALL_TRANSACTIONS, investorIds: null, limit: 100 }
/** The amounts of the transactions. Both ledgers have the same ones, so their rows tie. */
const AMOUNTS = [500n, 300n, 500n, 900n, 300n]
const COUNT = 2 * AMOUNTS.length

let gateway: TestGateway
let admin: Visitor

beforeAll(async () => {
  gateway = await startGatewayOfTwoLedgers()
  admin = await openVisit(gateway, await addUser(gateway, { role: 'admin', status: 'active' }))
  const people = [
    await addUser(gateway, { role: 'user', status: 'active' }),
    await addUserOfSecondLedger(gateway),
  ]
  for (const amountMinor of AMOUNTS) {
    for (const [place, investorId] of people.entries()) {
      await fund(gateway.otherLedger(place + 1), { investorId, amountMinor })
    }
  }
})
afterAll(() => gateway?.stop())

async function list(
  request: Pick<QueryRequest<'transactions'>, 'order'> & Partial<QueryRequest<'transactions'>>,
): Promise<readonly LedgerTransaction[]> {
  const { ledger } = gateway.deps
  return (await ledger.ask('transactions', { ...EVERYTHING, ...request })).transactions
}

describe.each(ORDERS)('in the order of the %s', (order) => {
  test.each([1, 2, 3, 7])('pages of %i rows after a row are one list', async (limit) => {
    const whole = await list({ order })
    expect(whole).toHaveLength(COUNT)
    const pages: LedgerTransaction[] = []
    for (let after: string | undefined; ; after = pages.at(-1)?.transactionId) {
      const page = await list({ order, limit, after })
      if (page.length === 0) break
      pages.push(...page)
    }
    expect(pages).toEqual(whole)
  })

  test('a page begins at the amount that its request states for the row before it', async () => {
    const whole = await list({ order })
    for (const [place, { transactionId: after, amountMinor }] of whole.entries()) {
      const own = await list({ order, after, afterAmountMinor: amountMinor })
      expect(own).toEqual(whole.slice(place + 1))
      const page = await list({ order, after, afterAmountMinor: 400n })
      const isBehind = ({ amountMinor: minor }: LedgerTransaction) =>
        order === 'largest' ? minor < 400n : minor > 400n
      const isByAmount = order === 'largest' || order === 'smallest'
      expect(page).toEqual(isByAmount ? whole.filter(isBehind) : whole.slice(place + 1))
    }
  })

  test.each([1, 2, 3, 7])('pages of %i rows before a row are one list', async (limit) => {
    const whole = await list({ order })
    const pages = whole.slice(-1)
    for (;;) {
      const page = await list({ order, limit, before: pages[0]?.transactionId })
      if (page.length === 0) break
      pages.unshift(...page)
    }
    expect(pages).toEqual(whole)
  })

  test('rows that were skipped are those of the pages before', async () => {
    const whole = await list({ order })
    expect(await list({ order, limit: 3, offset: 4 })).toEqual(whole.slice(4, 7))
  })
})

test('a row that no ledger has begins no page', async () => {
  expect(await list({ order: 'newest', after: createId(Date.now()) })).toEqual([])
})

test.each(SORTS)('the list of the API sorted by %s continues after its last row', async (sort) => {
  const read = async (more: string) => {
    const path = `/transactions?sort=${sort}&limit=4${more}`
    const { status, body } = await send(gateway, admin, { method: 'GET', path })
    expect(status).toBe(200)
    // The cast is safe, because the contract of the call has these members.
    return body.data as unknown as {
      transactions: { id: string }[]
      meta: { next: string | null; total: number }
    }
  }
  const seen: string[] = []
  for (let next: string | null = ''; next !== null; ) {
    const page = await read(next === '' ? '' : `&after=${next}`)
    expect(page.meta.total).toBe(COUNT)
    seen.push(...page.transactions.map(({ id }) => id))
    next = page.meta.next
  }
  expect(seen).toHaveLength(COUNT)
  expect(new Set(seen).size).toBe(COUNT)
  const csv = await send(gateway, admin, {
    method: 'GET',
    path: `/transactions.csv?sort=${sort}`,
  })
  expect(csv.status).toBe(200)
})

test('a page after more than 5,000 rows has the rows of both ledgers', async () => {
  const investorId = await addUserOfSecondLedger(gateway)
  const second = gateway.otherLedger(2)
  const many = Array.from({ length: 5_100 }, () => ({
    type: 'FundWallet' as const,
    data: {
      transactionId: createId(Date.now()),
      investorId,
      wallet: 'balance' as const,
      amountMinor: 1n,
      category: null,
      reason: null,
    },
    actor: 'system:test',
    key: null,
    requestId: null,
    effectiveAt: null,
  }))
  for (let start = 0; start < many.length; start += 500) {
    await second.submitMany(many.slice(start, start + 500), 'interactive')
  }
  // The first rows are those of one cent, all of them in ledger 2.
  const page = await list({ order: 'smallest', offset: 5_098, limit: 6 })
  expect(page.map(({ amountMinor }) => amountMinor)).toEqual([1n, 1n, 300n, 300n, 300n, 300n])
  const investors = new Set(page.slice(2).map((row) => row.investorId))
  expect(investors.size).toBe(2)
  const next = await list({ order: 'smallest', after: page.at(-1)?.transactionId, limit: 2 })
  expect(next.map(({ amountMinor }) => amountMinor)).toEqual([500n, 500n])
})

test('sabotaged twin: without the place of the row, a page of the other ledger is empty', async () => {
  const whole = await list({ order: 'largest' })
  const anchor = whole.find(({ seq }) => seq < 1_000_000_000_000n)
  const { transactions } = await gateway.otherLedger(2).ask('transactions', {
    ...EVERYTHING,
    order: 'largest',
    after: anchor?.transactionId,
  })
  expect(anchor).toBeDefined()
  expect(transactions).toEqual([])
})
