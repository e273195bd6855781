import type { QueryResponse } from '@cairn/ledger-contracts'
import { expect, test } from 'vitest'
import { JOINS } from './join-answers.ts'

test('totals are sums by kind, type and status', () => {
  const answer = (minor: bigint): QueryResponse<'totals'> => ({
    totals: {
      byKind: { balance: minor, ...(minor > 5n ? { fees: 1n } : {}) },
      transactions: [{ type: 'deposit', status: 'pending', amountMinor: minor, count: 2 }],
      investments: [{ status: 'active', count: 1, amountMinor: minor, profitMinor: 3n }],
      activeInvestors: 4,
    },
  })
  expect(JOINS.totals?.([answer(5n), answer(7n)], {})).toEqual({
    totals: {
      byKind: { balance: 12n, fees: 1n },
      transactions: [{ type: 'deposit', status: 'pending', amountMinor: 12n, count: 4 }],
      investments: [{ status: 'active', count: 2, amountMinor: 12n, profitMinor: 6n }],
      activeInvestors: 8,
    },
  })
})

test('the time of a decision is never shorter than that of a single ledger', () => {
  const answers = [
    { count: 3, medianMs: 10, p90Ms: 90 },
    { count: 1, medianMs: 40, p90Ms: 40 },
  ]
  const request = { from: '2026-11-01T00:00:00Z' }
  expect(JOINS.decisionTimes?.(answers, request)).toEqual({
    count: 4,
    medianMs: 40,
    p90Ms: 90,
  })
})
