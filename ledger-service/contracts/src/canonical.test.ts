import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatCanonicalJson, isSameCanonicalJson, NotCanonical } from './canonical.ts'

describe('the canonical form', () => {
  test('sorts members by UTF-16 code units, as RFC 8785 requires', () => {
    // The example of RFC 8785 section 3.2.3 with values that events can contain.
    const value = {
      '\u20ac': 'a',
      '\r': 'b',
      '\ufb33': 'c',
      '1': 'd',
      '\ud83d\ude00': 'e',
      '\u0080': 'f',
      '\u00f6': 'g',
    }
    expect(formatCanonicalJson(value)).toBe(
      '{"\\r":"b","1":"d","\u0080":"f","\u00f6":"g","\u20ac":"a","\ud83d\ude00":"e","\ufb33":"c"}',
    )
  })

  test('sorts any members by UTF-16 code units', () => {
    const keys = fc.uniqueArray(fc.string({ unit: 'grapheme-ascii' }), { maxLength: 40 })
    fc.assert(
      fc.property(keys, (names) => {
        const object = Object.fromEntries(names.map((name) => [name, true]))
        expect(formatCanonicalJson(object)).toBe(
          `{${names.toSorted().map((name) => `${JSON.stringify(name)}:true`)}}`,
        )
      }),
    )
  })

  test('writes whole numbers as strings of digits and refuses the others', () => {
    expect(formatCanonicalJson({ b: 12n, a: -3 })).toBe('{"a":"-3","b":"12"}')
    for (const wrong of [1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, undefined, () => 1]) {
      expect(() => formatCanonicalJson({ wrong })).toThrow(NotCanonical)
    }
  })

  test('refuses text that PostgreSQL or UTF-8 cannot carry', () => {
    expect(() => formatCanonicalJson('a\u0000b')).toThrow(NotCanonical)
    expect(() => formatCanonicalJson('\ud800')).toThrow(NotCanonical)
    expect(() => formatCanonicalJson({ '\ud800': 'a' })).toThrow(NotCanonical)
  })

  test('parses to the original value, which has the same canonical form', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\u0000'))
    const { value: values } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value')),
        fc.dictionary(text, tie('value')),
      ),
    }))
    fc.assert(
      fc.property(values, (value) => {
        const written = formatCanonicalJson(value)
        expect(formatCanonicalJson(JSON.parse(written))).toBe(written)
      }),
    )
  })
})

describe('the comparison without formatting', () => {
  // The generator uses only a few distinct values, so that many generated pairs are equal.
  const scalar = fc.constantFrom<unknown>('', 'a', '1', 'null', 'true', 1n, 1, -1, 0, true, null)
  const { value: values } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      scalar,
      fc.array(tie('value'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('a', 'b', '0'), tie('value'), { maxKeys: 2 }),
    ),
  }))

  test('agrees with the canonical JSON of both values', () => {
    let equal = 0
    fc.assert(
      fc.property(values, values, (left, right) => {
        const isEqual = formatCanonicalJson(left) === formatCanonicalJson(right)
        if (isEqual) equal += 1
        expect(isSameCanonicalJson(left, right)).toBe(isEqual)
        expect(isSameCanonicalJson(left, JSON.parse(formatCanonicalJson(left)))).toBe(true)
      }),
      { numRuns: 2_000 },
    )
    expect(equal).toBeGreaterThan(10)
  })

  test('refuses values without canonical form', () => {
    for (const wrong of [1.5, Number.NaN, 2 ** 53, undefined, () => 1]) {
      expect(() => isSameCanonicalJson({ wrong }, { wrong })).toThrow(NotCanonical)
    }
  })
})
