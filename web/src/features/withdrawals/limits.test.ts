import { expect, test } from 'vitest'
import { describeLimits, findLargestAmount, findLimitRefusal } from './limits.ts'
import type { WithdrawalLimit } from './queries.ts'

const day: WithdrawalLimit = {
  period: 'day',
  limit: 500,
  left: 120.5,
  renewsAt: '2026-11-22T00:00:00.000Z',
}
const month: WithdrawalLimit = {
  period: 'month',
  limit: 3_000,
  left: 2_000,
  renewsAt: '2026-12-01T00:00:00.000Z',
}

test('the remaining limit is shown in advance', () => {
  expect(describeLimits([])).toBe('')
  expect(describeLimits([month])).toBe(
    'This month you can still withdraw $2,000 of $3,000. Days and months are those of UTC.',
  )
  expect(describeLimits([day, month])).toBe(
    'Today you can still withdraw $120.50 of $500, this month $2,000 of $3,000. Days and months are those of UTC.',
  )
})

test('the lowest exceeded limit is shown, to the cent', () => {
  expect(findLimitRefusal(null, [day])).toBeNull()
  expect(findLimitRefusal(12_050n, [day, month])).toBeNull()
  expect(findLimitRefusal(12_051n, [day, month])).toBe(
    'Today you can still withdraw $120.50. The limit of $500 a day renews on Nov 22, 2026.',
  )
  expect(findLimitRefusal(900_000n, [day, { ...month, left: 0 }])).toBe(
    'This month you can still withdraw $0. The limit of $3,000 a month renews on Dec 1, 2026.',
  )
})

test('the largest amount is limited by the wallet and by each limit', () => {
  expect(findLargestAmount(5_000n, [])).toBe(5_000n)
  expect(findLargestAmount(5_000n, [day, month])).toBe(5_000n)
  expect(findLargestAmount(50_000n, [month, day])).toBe(12_050n)
})
