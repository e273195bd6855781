import { describe, expect, test } from 'vitest'
import { computeTotpAt, findTotpStep, getTotpStep, toBase32 } from './totp.ts'

const secret = Buffer.from('12345678901234567890')

describe('a one-time code', () => {
  // The expected codes: the last six of the eight digits of each test value in RFC 6238, appendix
  // B.
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at %i s is %s', (seconds, code) => {
    expect(computeTotpAt(secret, getTotpStep(seconds * 1_000))).toBe(code)
  })

  test('is accepted one step early or late, not two steps, and only once', () => {
    const nowMs = 1_111_111_111_000
    const now = getTotpStep(nowMs)
    const find = (step: number, lastStep = 0) =>
      findTotpStep(secret, { code: computeTotpAt(secret, step), lastStep, nowMs })
    expect([-2, -1, 0, 1, 2].map((apart) => find(now + apart))).toEqual([
      null,
      now - 1,
      now,
      now + 1,
      null,
    ])
    expect(find(now, now)).toBeNull()
    expect(find(now - 1, now)).toBeNull()
    expect(find(now + 1, now)).toBe(now + 1)
  })

  test('has a secret that is typed in base 32', () => {
    expect(toBase32(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
    expect(toBase32(Buffer.from('f'))).toBe('MY')
  })
})
