import { describe, expect, test } from 'vitest'

import { formatMoney, formatMoneyBriefly, parseMoney, toAmountText, toMinor } from './money.ts'
import { computePercent } from './percent.ts'

describe('parsing an amount', () => {
  test.each([
    [500, 50_000n],
    [0.1, 10n],
    [1234.56, 123_456n],
    ['500', 50_000n],
    [' 12.5 ', 1_250n],
    ['0.07', 7n],
    ['-3.00', -300n],
  ])('%s is whole cents', (value, minor) => {
    expect(parseMoney(value)).toBe(minor)
  })

  test.each(['', '1e3', '1,000', '1.234', '$5', '.5', '5.', '+5', 'NaN', '99999999999999'])(
    '%j is not an amount',
    (value) => {
      expect(parseMoney(value)).toBeNull()
    },
  )

  test('a sum from the API may exceed the input limit', () => {
    expect(parseMoney(30_000_000_000_000)).toBe(3_000_000_000_000_000n)
    expect(toMinor(-99_999_999_999_999)).toBe(-9_999_999_999_999_900n)
  })

  test('an invalid amount from the API throws', () => {
    expect(() => toMinor('ten')).toThrow('not an amount')
  })
})

describe('a formatted amount', () => {
  test('has a dollar sign, thousands separators and two decimals', () => {
    expect(formatMoney(123_456_789n)).toBe('$1,234,567.89')
    expect(formatMoney(-5n)).toBe('-$0.05')
    expect(formatMoney(0n)).toBe('$0.00')
  })

  test('leaves out cents that are zero in a sentence', () => {
    expect(formatMoneyBriefly(1_000n)).toBe('$10')
    expect(formatMoneyBriefly(1_050n)).toBe('$10.50')
  })

  test('is sent to the API as digits and a point', () => {
    expect(toAmountText(123_450n)).toBe('1234.50')
  })
})

describe('a fee', () => {
  // 1.5 % of 33.33 is 0.49995, which rounds to 0.50; 5 % of 500.00 is 25.00.
  test('is rounded half up to the cent', () => {
    expect(computePercent(3_333n, 1.5)).toBe(50n)
    expect(computePercent(50_000n, 5)).toBe(2_500n)
    expect(computePercent(50_000n, 0)).toBe(0n)
  })
})
