import type { QueryRequest, QueryResponse } from '@cairn/ledger-contracts'
import { expect, test } from 'vitest'
import { JOININGS } from './join-answers.ts'

type Page = QueryResponse<'transactions'>

const REQUEST: QueryRequest<'transactions'> = {
  investorIds: null,
  from: null,
  to: null,
  order: 'newest',
  limit: 2,
  offset: 1,
  type: null,
  status: null,
  q: null,
}

/** Returns the page of a ledger with rows of these seconds, numbers and amounts. */
function createPage(rows: readonly (readonly [number, bigint, bigint])[]): Page {
  const transactions = rows.map(([second, seq, amountMinor]) => {
    const createdAt = new Date(second * 1_000).toISOString()
    // The cast is safe, because only these members are compared.
    return { createdAt, seq, amountMinor } as Page['transactions'][number]
  })
  const totalMinor = rows.reduce((sum, [, , amountMinor]) => sum + amountMinor, 0n)
  return { transactions, total: rows.length, totalMinor }
}

const WEST = 2_000_000_000_000n
const PAGES = [
  createPage([
    [9, 8n, 1n],
    [5, 3n, 7n],
    [1, 0n, 4n],
  ]),
  createPage([
    [7, WEST + 2n, 7n],
    [5, WEST, 2n],
  ]),
]

const listNumbers = (request: Partial<QueryRequest<'transactions'>>) =>
  JOININGS.transactions
    ?.join(PAGES, { ...REQUEST, ...request })
    .transactions.map(({ seq }) => String(seq))

test('a page of several ledgers has the rows that one sorted list would have', () => {
  const all = { offset: 0, limit: 9 }
  expect(listNumbers(all)).toEqual(['8', String(WEST + 2n), String(WEST), '3', '0'])
  expect(listNumbers({})).toEqual([String(WEST + 2n), String(WEST)])
  const oldest = listNumbers({ ...all, order: 'oldest' })
  expect(oldest).toEqual(listNumbers(all)?.toReversed())
  // Of two rows with the same amount, the one of the first ledger counts as recorded first.
  const largest = listNumbers({ ...all, order: 'largest' })
  expect(largest).toEqual([String(WEST + 2n), '3', '0', String(WEST), '8'])
  expect(listNumbers({ ...all, order: 'smallest' })).toEqual(largest?.toReversed())
})

test('the totals of a list are those of all ledgers', () => {
  expect(JOININGS.transactions?.join(PAGES, REQUEST)).toMatchObject({ total: 5, totalMinor: 21n })
})

test('each ledger is asked for all rows up to the end of the page', () => {
  // Sabotaged twin: with the offset of the page, rows of each ledger would be left out.
  expect(JOININGS.transactions?.widen?.(REQUEST)).toMatchObject({ offset: 0, limit: 3 })
  expect(() => JOININGS.transactions?.widen?.({ ...REQUEST, offset: 9_999 })).toThrow('5000 rows')
})

test('totals are sums by kind, type and status', () => {
  const answer = (minor: bigint): QueryResponse<'totals'> => ({
    totals: {
      byKind: { balance: minor, ...(minor > 5n ? { fees: 1n } : {}) },
      transactions: [{ type: 'deposit', status: 'pending', amountMinor: minor, count: 2 }],
      investments: [{ status: 'active', count: 1, amountMinor: minor, profitMinor: 3n }],
      activeInvestors: 4,
    },
  })
  expect(JOININGS.totals?.join([answer(5n), answer(7n)], {})).toEqual({
    totals: {
      byKind: { balance: 12n, fees: 1n },
      transactions: [{ type: 'deposit', status: 'pending', amountMinor: 12n, count: 4 }],
      investments: [{ status: 'active', count: 2, amountMinor: 12n, profitMinor: 6n }],
      activeInvestors: 8,
    },
  })
})
