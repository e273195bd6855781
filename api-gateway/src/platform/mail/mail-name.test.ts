import { describe, expect, test } from 'vitest'
import { toMailName } from './mail-name.ts'

describe('a name in a mail', () => {
  test.each([
    ['Ada Example', 'Ada Example'],
    ['J.R.R. Tolkien', 'J. R. R. Tolkien'],
    ["Siobhán O'Neill-Łukasz, Jr.", "Siobhán O'Neill-Łukasz, Jr."],
    ['王小明', '王小明'],
    ['Müller & Söhne (GmbH)', 'Müller & Söhne (GmbH)'],
  ])('is unchanged: %s', (name, shown) => {
    expect(toMailName(name)).toBe(shown)
  })

  test.each([
    ['You won! https://evil.test/claim?x=1', 'You won'],
    ['Visit www.evil.test now', 'Visit now'],
    ['evil.test', 'evil. test'],
    ['evil。test', 'evil. test'],
    ['evil.test/path', 'there'],
    ['write to me@evil.test', 'write to'],
    ['Ada\r\n\r\nYour account is blocked', 'Ada Your account is blocked'],
    ['Ada\u202e\u200b\u0007Example', 'Ada Example'],
    ['<a href=x>Ada</a>', 'a'],
    ['\u0000', 'there'],
  ])('contains no link and no control character: %j', (name, shown) => {
    expect(toMailName(name)).toBe(shown)
  })

  test('is short, and cut between whole characters', () => {
    expect(toMailName('x'.repeat(120))).toBe(`${'x'.repeat(39)}…`)
    const family = 'e\u0301'.repeat(60)
    expect(toMailName(family)).toBe(`${'é'.repeat(39)}…`)
  })
})
