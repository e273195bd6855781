import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../database/database.ts'
import { createRateLimiter } from './rate-limit.ts'
import { createSharedRateLimiter, pruneRateLimits } from './shared-rate-limit.ts'

let database: TestDatabase
let db: Database
beforeAll(async () => {
  database = await createTestDatabase()
  const url = database.urlFor('cairn_gateway')
  db = openDatabase({ url, applicationName: 'test', onError: () => {} })
})
afterAll(async () => {
  await db?.destroy()
  await database?.drop()
})
beforeEach(async () => {
  await db.deleteFrom('platform.rate_limit').execute()
})

/** Creates one limiter for each gateway, on the same database. */
const createGateways = (count: number) =>
  Array.from({ length: count }, () => createSharedRateLimiter({ db, scale: 1 }))

/** Sends the requests to the gateways in turn. Returns the number of requests that pass. */
async function countPassing(
  takes: readonly ((ip: string) => Promise<void>)[],
  ips: readonly string[],
): Promise<number> {
  let passed = 0
  for (const [index, ip] of ips.entries()) {
    const take = takes[index % takes.length]
    await take?.(ip).then(
      () => {
        passed += 1
      },
      (error: unknown) => expect(error).toMatchObject({ status: 429 }),
    )
  }
  return passed
}

const repeatAddress = (ip: string, count: number) => Array.from({ length: count }, () => ip)

describe('sign-ups at several gateways', () => {
  test('count together', async () => {
    const takes = createGateways(3).map(
      ({ take }) =>
        (ip: string) =>
          take('sign-up', ip),
    )
    expect(await countPassing(takes, repeatAddress('203.0.113.7', 60))).toBe(20)
    await expect(takes[0]?.('203.0.113.7')).rejects.toMatchObject({
      status: 429,
      retryAfterSeconds: expect.any(Number),
    })
    expect(await countPassing(takes, ['203.0.113.8'])).toBe(1)
  })

  test('sabotaged twin: counted in each process, three gateways let three times as many through', async () => {
    const takes = createGateways(3).map(() => {
      const rates = createRateLimiter({ scale: 1, now: () => 0 })
      return async (ip: string) => rates.take('sign-up', ip)
    })
    expect(await countPassing(takes, repeatAddress('203.0.113.7', 90))).toBe(60)
  })
})

test('the addresses of one IPv6 customer count as one, and a network has ten times its limit', async () => {
  const [gateway] = createGateways(1)
  const takes = [(ip: string) => gateway?.take('contact', ip) ?? Promise.resolve()]
  const oneCustomer = Array.from({ length: 20 }, (_, host) => `2001:db8:1:2::${host.toString(16)}`)
  expect(await countPassing(takes, oneCustomer)).toBe(5)
  const oneNetwork = Array.from({ length: 100 }, (_, host) => `198.51.100.${host}`)
  expect(await countPassing(takes, oneNetwork)).toBe(50)
  expect(await countPassing(takes, ['198.51.101.1'])).toBe(1)
})

test('two concurrent requests cannot both use the last permitted request', async () => {
  const gateways = createGateways(2)
  const results = await Promise.allSettled(
    Array.from({ length: 40 }, (_, index) => gateways[index % 2]?.take('contact', '192.0.2.1')),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
})

test('expired counters are deleted by the worker', async () => {
  const [gateway] = createGateways(1)
  await gateway?.take('login', '192.0.2.1')
  const url = database.urlFor('cairn_gateway_worker')
  const worker = openDatabase({ url, applicationName: 'test-worker', onError: () => {} })
  expect(await pruneRateLimits(worker, { nowMs: Date.now(), limit: 10 })).toBe(0)
  const nowMs = Date.now() + 16 * 60_000
  expect(await pruneRateLimits(worker, { nowMs, limit: 1 })).toBe(1)
  expect(await pruneRateLimits(worker, { nowMs, limit: 10 })).toBe(1)
  await worker.destroy()
})
