import { describe, expect, test } from 'vitest'
import { createBatchLimit } from './batch-limit.ts'

describe('the limit of a batch', () => {
  test('is 500 while no batch commits', () => {
    expect(createBatchLimit().getMaxSize({ taken: 0, committing: 0, waiting: 2_000 })).toBe(500)
  })

  test('is half of all entries while a batch commits, from 8 to 500', () => {
    const limit = createBatchLimit()
    expect(limit.getMaxSize({ taken: 10, committing: 100, waiting: 91 })).toBe(101)
    expect(limit.getMaxSize({ taken: 0, committing: 1, waiting: 0 })).toBe(8)
    expect(limit.getMaxSize({ taken: 400, committing: 500, waiting: 900 })).toBe(500)
  })

  test('is halved by bad data, with one batch at a time, and doubled after each success', () => {
    const limit = createBatchLimit()
    limit.halveLimit(300)
    expect(limit.getMaxSize({ taken: 0, committing: 0, waiting: 300 })).toBe(150)
    expect(limit.getMaxSize({ taken: 0, committing: 150, waiting: 150 })).toBe(0)
    limit.raiseLimit()
    expect(limit.getMaxSize({ taken: 0, committing: 0, waiting: 300 })).toBe(300)
    limit.raiseLimit()
    expect(limit.getMaxSize({ taken: 0, committing: 150, waiting: 50 })).toBe(100)
  })
})
