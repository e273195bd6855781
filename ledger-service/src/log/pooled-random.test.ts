import { expect, test } from 'vitest'
import { createPooledRandom } from './pooled-random.ts'

test('no two draws are the same, and none changes after it was handed out', () => {
  const drawn = Array.from({ length: 20_000 }, () => createPooledRandom(16))
  const seen = new Set(drawn.map((bytes) => bytes.toString('hex')))
  expect(seen.size).toBe(drawn.length)
  expect(new Set(drawn.map((bytes) => bytes.toString('hex')))).toEqual(seen)
})

test('gives as many bytes as are asked for, however many are left', () => {
  for (const bytes of [1, 16, 16_383, 16_385, 7])
    expect(createPooledRandom(bytes)).toHaveLength(bytes)
})
