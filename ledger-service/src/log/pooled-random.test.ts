import { expect, test } from 'vitest'
import { takeRandomBytes } from './pooled-random.ts'

test('every result is different and does not change later', () => {
  const drawn = Array.from({ length: 20_000 }, () => takeRandomBytes(16))
  const seen = new Set(drawn.map((bytes) => bytes.toString('hex')))
  expect(seen.size).toBe(drawn.length)
  expect(new Set(drawn.map((bytes) => bytes.toString('hex')))).toEqual(seen)
})

test('returns the requested number of bytes, also when the pool has fewer', () => {
  for (const bytes of [1, 16, 16_383, 16_385, 7]) expect(takeRandomBytes(bytes)).toHaveLength(bytes)
})
