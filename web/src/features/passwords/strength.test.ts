import { describe, expect, test } from 'vitest'

import { listContextWords, rateStrength } from './strength.ts'
import { estimateScore } from './strength-estimate.ts'

describe('the text of the meter', () => {
  test('is empty without input, and counts the missing characters below the minimum', () => {
    expect(rateStrength('', 4)).toBeNull()
    expect(rateStrength('abc', 4)).toEqual({ level: 0, words: 'Too short: 5 characters more.' })
    expect(rateStrength('abcdefg', 4)?.words).toBe('Too short: one character more.')
    expect(rateStrength('abababababab', 4)).toMatchObject({ level: 0 })
  })

  test('is the length rule until the estimate has loaded', () => {
    expect(rateStrength('correct horse', null)).toEqual({ level: 2, words: 'Long enough.' })
    const levels = [0, 1, 2, 3, 4].map((score) => rateStrength('correct horse', score)?.level)
    expect(levels).toEqual([1, 1, 2, 3, 4])
  })
})

describe('the estimate', () => {
  test.each(['password1', 'qwertyuiop', '12345678', 'iloveyou1'])('finds %s weak', (password) => {
    expect(estimateScore(password, [])).toBeLessThanOrEqual(1)
  })

  test('finds a row of unrelated words strong, and counts one’s own name as guessed', () => {
    expect(estimateScore('gravel teapot onward nine', [])).toBe(4)
    const own = listContextWords(['Verena Quastenberger', 'verena.q@example.com'])
    const alone = estimateScore('quastenberger', [])
    expect(estimateScore('quastenberger', own)).toBeLessThan(alone)
  })
})

test('names and addresses are matched whole and in parts', () => {
  expect(listContextWords(['Ada Lovelace', 'ada@example.com'])).toEqual([
    'ada lovelace',
    'ada',
    'lovelace',
    'ada@example.com',
    'example',
    'com',
  ])
})
