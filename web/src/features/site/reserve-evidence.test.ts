import type { Coverage } from '@cairn/gateway-contracts'
import { expect, test } from 'vitest'

import type { Claim } from '../claims/index.ts'
import { insertCoverage } from './reserve-evidence.ts'

const toLine = (label: string, value: string) => ({ label, value, link: null, isLimit: false })
const CLAIM: Claim = {
  key: 'profit-guarantee',
  wording: '100% profit guarantee',
  state: 'proved',
  text: 'Promised profit covered by the reserve today',
  rule: 'The reserve covers all promised profit.',
  evidence: [
    toLine('Reserve', '$12,182.11 covers $12,182.11 promised on active plans (100%)'),
    toLine('Payment accounts', 'In the ledger, they hold $1,000.00'),
    toLine('Demo', 'Every figure is demo data'),
  ],
  asOf: '2026-01-02T03:04:00.000Z',
}
const COVERAGE: Coverage = {
  liabilities: 1_500.5,
  committed: 12_182.01,
  reserve: -23,
  fees: 3.1,
  income: 10,
  marketing: -12.34,
  adjustments: -5.67,
  opening: 0,
  cash: 13_654.6,
  paymentAccounts: 1_400,
  shortfall: 23.01,
  percentage: 99.8,
  mode: 'disclose',
  asOf: '2026-01-02T03:04:05.000Z',
}

test('the reserve and the payment accounts of a claim are the coverage that the page shows elsewhere', () => {
  const [claim] = insertCoverage([CLAIM], COVERAGE)
  expect(claim?.evidence).toEqual([
    toLine('Reserve', '$12,159.00 covers $12,182.01 promised on active plans (99.8%)'),
    toLine('Payment accounts', '$1,400.00; $1,500.50 is owed to investors'),
    CLAIM.evidence[2],
  ])
})

test('a claim without a known coverage shows no figure of the reserve', () => {
  expect(insertCoverage([CLAIM], undefined)[0]?.evidence).toEqual([CLAIM.evidence[2]])
})
