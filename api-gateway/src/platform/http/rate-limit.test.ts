import { describe, expect, test } from 'vitest'
import { createRateLimiter } from './rate-limit.ts'

describe('a rate', () => {
  test('permits a whole window at once, and then the requests that are available again', () => {
    let nowMs = 0
    const rates = createRateLimiter({ scale: 1, now: () => nowMs })
    for (let request = 0; request < 120; request += 1) rates.take('money', 'user a')
    expect(() => rates.take('money', 'user a')).toThrow('Too many requests')
    // The limit is 120 per minute, so one more request is permitted every half second.
    nowMs += 500
    rates.take('money', 'user a')
    expect(() => rates.take('money', 'user a')).toThrow('Too many requests')
  })

  test('counts each caller and each class on its own, times the scale', () => {
    const rates = createRateLimiter({ scale: 2, now: () => 0 })
    for (let request = 0; request < 40; request += 1) rates.take('sign-up', 'ip 1')
    expect(() => rates.take('sign-up', 'ip 1')).toThrow()
    rates.take('sign-up', 'ip 2')
    rates.take('login', 'ip 1')
  })

  test('says how many seconds to wait', () => {
    const rates = createRateLimiter({ scale: 1, now: () => 0 })
    for (let request = 0; request < 20; request += 1) rates.take('sign-up', 'ip 1')
    // The limit is 20 per hour, so one more request is permitted every 180 seconds.
    expect(() => rates.take('sign-up', 'ip 1')).toThrow(
      expect.objectContaining({ status: 429, retryAfterSeconds: 180 }),
    )
  })
})
