import type { InvestmentProgress } from '@cairn/gateway-contracts'
import { expect, test } from 'vitest'

import { allocationOf, shareWords } from './allocation.ts'

/** Only what the sum reads. */
function running(name: string | null, amount: number): InvestmentProgress {
  return { investment: { plan: { name }, amount } } as InvestmentProgress
}

test('investments of one plan are one share, the largest first', () => {
  const shares = allocationOf([
    running('Starter', 100.5),
    running('Pro', 300),
    running('Starter', 0.5),
    running(null, 99),
  ])
  expect(shares.map(({ name, minor }) => [name, minor])).toEqual([
    ['Pro', 30_000n],
    ['Starter', 10_100n],
    ['No Plan', 9_900n],
  ])
  expect(shares.map(({ tenths }) => shareWords(tenths))).toEqual(['60.0%', '20.2%', '19.8%'])
})

test('nothing runs, nothing is shared', () => {
  expect(allocationOf([])).toEqual([])
})
