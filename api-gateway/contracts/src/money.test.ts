import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MoneyIn, MoneyOut, parseAmount, parsePercent, toAmount } from './money.ts'

const cents = fc.bigInt({ min: 0n, max: 1_000_000_000_000_000n })

describe('reading an amount', () => {
  test('an amount with two decimals is parsed to its cents, as text and as a number', () => {
    fc.assert(
      fc.property(cents, (minor) => {
        const text = `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`
        const bounded = minor < 999_999_999_999_999n ? minor : 0n
        expect(parseAmount(text)).toBe(text.length > 16 ? null : minor)
        expect(parseAmount(toAmount(bounded))).toBe(bounded)
      }),
    )
  })

  test('any other text is refused or is exactly digits with at most two decimals', () => {
    const near = fc.string({ unit: fc.constantFrom(...'0123456789.,-+eE_ x\u0660') })
    fc.assert(
      fc.property(fc.oneof(fc.string(), near), (text) => {
        const isAmount = /^\d{1,13}(\.\d{1,2})?$/.test(text)
        expect(parseAmount(text) !== null).toBe(isAmount)
      }),
      { numRuns: 2_000 },
    )
  })

  test.each([
    '1e3',
    '1.234',
    '-1',
    '+1',
    ' 1',
    '1 ',
    '1,000',
    '.5',
    '5.',
    '0x10',
    'Infinity',
    '',
    '١٢',
    '1\n',
    '99999999999999',
  ])('%j is not a valid amount', (text) => {
    expect(parseAmount(text)).toBeNull()
  })

  test.each([0.1 + 0.2, 1e21, 1e-7, Number.NaN, Number.POSITIVE_INFINITY, -5, 1.005])(
    'the number %d is not a valid amount',
    (value) => {
      expect(parseAmount(value)).toBeNull()
    },
  )

  test('zero is refused with a separate message', () => {
    expect(MoneyIn.safeParse(0).error?.issues[0]?.message).toBe('The amount must be above zero')
    expect(MoneyIn.parse('0.01')).toBe(1n)
  })

  test('an amount with too many digits is refused as too large', () => {
    for (const value of ['99999999999999', '10000000000000.01', 1e15])
      expect(MoneyIn.safeParse(value).error?.issues[0]?.message).toBe('The amount is too large')
    expect(MoneyIn.parse('9999999999999.99')).toBe(999_999_999_999_999n)
  })
})

describe('writing an amount', () => {
  test('every amount of the books is a number with two decimals at most', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -999_999_999_999_999n, max: 999_999_999_999_999n }), (minor) => {
        const amount = toAmount(minor)
        expect(MoneyOut.safeParse(amount).success).toBe(true)
        expect(parseAmount(Math.abs(amount))).toBe(minor < 0n ? -minor : minor)
      }),
    )
  })

  test('every sum that the database can store is also accepted', () => {
    const most = 2n ** 63n - 1n
    fc.assert(
      fc.property(fc.bigInt({ min: -most, max: most }), (minor) => {
        expect(MoneyOut.safeParse(toAmount(minor)).success).toBe(true)
      }),
    )
  })
})

test('a percentage has four decimals at most', () => {
  expect(parsePercent('5')).toBe(50_000)
  expect(parsePercent(5.25)).toBe(52_500)
  expect(parsePercent('0.0001')).toBe(1)
  expect(parsePercent('0.00001')).toBeNull()
  expect(parsePercent('1e1')).toBeNull()
})
