import { expect, test } from 'vitest'
import { AMOUNT_MAX_MINOR, Minor, NonNegativeMinor, PositiveMinor } from './money.ts'

test('a sum of thousands of largest amounts can be read but not entered', () => {
  const sum = AMOUNT_MAX_MINOR * 9_000n
  expect(Minor.parse(sum.toString())).toBe(sum)
  expect(Minor.parse((-sum).toString())).toBe(-sum)
  for (const entered of [PositiveMinor, NonNegativeMinor]) {
    expect(entered.safeParse(AMOUNT_MAX_MINOR.toString()).success).toBe(true)
    expect(entered.safeParse((AMOUNT_MAX_MINOR + 1n).toString()).success).toBe(false)
    expect(entered.safeParse(sum.toString()).success).toBe(false)
  }
})
