import { expect, test } from 'vitest'
import { createKnownSessions } from './known-sessions.ts'
import { createRateLimiter, type RateLimiter } from './rate-limit.ts'

const ADDRESS = 'ip 203.0.113.7'

/** Sends `count` invented cookies. Returns the number of queries that these cookies caused. */
async function sendInventedCookies(rates: RateLimiter, count: number): Promise<number> {
  const sessions = createKnownSessions(rates)
  let queries = 0
  for (let index = 0; index < count; index += 1) {
    const find = async () => {
      queries += 1
      return null
    }
    await sessions.find({ token: `invented ${index}`, address: ADDRESS }, find).catch(() => null)
  }
  return queries
}

const createRates = () => createRateLimiter({ scale: 1, now: () => 0 })

test('an address causes at most 300 queries a minute with invented cookies', async () => {
  expect(await sendInventedCookies(createRates(), 1_000)).toBe(300)
})

test('sabotaged twin: without the limit each invented cookie is a query', async () => {
  const unlimited: RateLimiter = { take: () => {}, subtractRequest: () => {} }
  expect(await sendInventedCookies(unlimited, 1_000)).toBe(1_000)
})

test('open sessions of the same address do not count, and known ones pass a used-up limit', async () => {
  const rates = createRates()
  const sessions = createKnownSessions(rates)
  const open = async () => 'the user'
  const find = (token: string | null, result: () => Promise<string | null>) =>
    sessions.find({ token, address: ADDRESS }, result)
  for (let user = 0; user < 1_000; user += 1)
    expect(await find(`user ${user}`, open)).toBe('the user')
  for (let index = 0; index < 300; index += 1) await find(`invented ${index}`, async () => null)
  await expect(find('another one', open)).rejects.toMatchObject({
    status: 429,
    retryAfterSeconds: 1,
  })
  expect(await find('user 7', open)).toBe('the user')
  expect(await find(null, async () => null)).toBeNull()
  // After a session has ended, its cookie counts as unknown.
  expect(await find('user 7', async () => null)).toBeNull()
  await expect(find('user 7', open)).rejects.toMatchObject({ status: 429 })
})
