import { expect, test } from 'vitest'
import { createCachedValue } from './cache.ts'

function createCounter() {
  let looks = 0
  return createCachedValue(1_000, async () => {
    looks += 1
    return looks
  })
}

test('one load serves all callers while the value is fresh, even if the clock moves back', async () => {
  const kept = createCounter()
  expect(await Promise.all([kept.read(5_000), kept.read(5_999), kept.read(4_001)])).toEqual([
    1, 1, 1,
  ])
  expect(await kept.read(6_000)).toBe(2)
  expect(await kept.read(1_000)).toBe(3)
})

test('a discarded value is loaded again', async () => {
  const kept = createCounter()
  await kept.read(0)
  kept.forget()
  expect(await kept.read(0)).toBe(2)
})

test('a failed load fails its waiting callers only', async () => {
  let isAway = true
  const kept = createCachedValue(1_000, async () => {
    if (isAway) throw new Error('away')
    return 'here'
  })
  await expect(kept.read(0)).rejects.toThrow('away')
  isAway = false
  expect(await kept.read(0)).toBe('here')
})
