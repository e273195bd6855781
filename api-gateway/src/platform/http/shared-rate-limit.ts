import { MONEY_REQUESTS_PER_DAY } from '@cairn/gateway-contracts'
import { CompiledQuery } from 'kysely'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from '../database/database.ts'
import { createMoneyRequestsFailure, createTooManyRequestsFailure } from './failure.ts'
import { getCustomer, getNetwork } from './network.ts'
import { getRate, type RateClass } from './rate-limit.ts'

/** The classes whose requests the database counts for all gateways together. */
const SHARED = ['login', 'sign-up', 'contact', 'code'] as const satisfies readonly RateClass[]
type SharedRateClass = (typeof SHARED)[number]

/**
 * The limit of a network, as a multiple of the limit of a customer. Many customers may share a
 * network.
 */
const NETWORK_FACTOR = 10
const DAY_SECONDS = 86_400

export function isShared(rateClass: RateClass): rateClass is SharedRateClass {
  return SHARED.some((shared) => shared === rateClass)
}

export interface SharedRateLimiter {
  /**
   * Counts a request. Throws 429 if the customer or the network of this address has used all
   * requests.
   */
  take(rateClass: SharedRateClass, ip: string): Promise<void>
  /**
   * Counts a request of an investor that moves money. Throws 429 if the investor has made as many
   * requests in a day as are allowed: each of them adds rows to tables that only grow.
   */
  takeMoneyRequest(userId: string): Promise<void>
}

export function createSharedRateLimiter(options: {
  db: Database
  scale: number
}): SharedRateLimiter {
  const { db, scale } = options
  // The names of the library's statements are ignored, because the pool prepares all statements.
  const storeClient = {
    query: ({ text, values }: { text: string; values: unknown[] }) =>
      db.executeQuery(CompiledQuery.raw(text, values)),
  }

  function createLimiter(rateClass: SharedRateClass, unit: 'customer' | 'network') {
    const { max, windowMs } = getRate(rateClass)
    const factor = unit === 'network' ? NETWORK_FACTOR : 1
    const keyPrefix = `${rateClass} ${unit}`
    return openLimiter({ keyPrefix, max: max * factor, seconds: windowMs / 1_000 })
  }

  function openLimiter(limit: { keyPrefix: string; max: number; seconds: number }) {
    const points = Math.max(1, Math.ceil(limit.max * scale))
    return new RateLimiterPostgres({
      storeClient,
      storeType: 'pool',
      schemaName: 'platform',
      tableName: 'rate_limit',
      // A migration has created the table, and the worker deletes expired rows.
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: limit.keyPrefix,
      points,
      duration: limit.seconds,
      // After one refusal, the limiter refuses further requests from memory, without a statement.
      inMemoryBlockOnConsumed: points + 1,
    })
  }

  const limiters = new Map(
    SHARED.map((rateClass) => [
      rateClass,
      {
        customer: createLimiter(rateClass, 'customer'),
        network: createLimiter(rateClass, 'network'),
      },
    ]),
  )

  const moneyRequests = openLimiter({
    keyPrefix: 'money user',
    max: MONEY_REQUESTS_PER_DAY,
    seconds: DAY_SECONDS,
  })

  return {
    takeMoneyRequest: async (userId) => {
      const waitMs = await consumePoint(moneyRequests, userId)
      if (waitMs > 0) throw createMoneyRequestsFailure(Date.now() + waitMs)
    },
    take: async (rateClass, ip) => {
      const limiter = limiters.get(rateClass)
      if (limiter === undefined) throw new Error(`no limiter for ${rateClass}`)
      // The customer is first, so that a refused customer does not use up the network's limit.
      await requirePoint(limiter.customer, getCustomer(ip))
      await requirePoint(limiter.network, getNetwork(ip))
    },
  }
}

async function requirePoint(limiter: RateLimiterPostgres, key: string): Promise<void> {
  const waitMs = await consumePoint(limiter, key)
  if (waitMs > 0) throw createTooManyRequestsFailure(Math.ceil(waitMs / 1_000))
}

/** Returns 0, or the milliseconds to wait if all points are used. */
async function consumePoint(limiter: RateLimiterPostgres, key: string): Promise<number> {
  try {
    await limiter.consume(key)
    return 0
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error
    return Math.max(1, error.msBeforeNext)
  }
}

/** Deletes at most `limit` expired counters. Returns their number. */
export async function pruneRateLimits(
  db: Database,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<number> {
  const expired = db
    .selectFrom('platform.rate_limit')
    .select('key')
    .where('expire', '<', String(nowMs))
    .limit(limit)
  const { numDeletedRows } = await db
    .deleteFrom('platform.rate_limit')
    .where('key', 'in', expired)
    // The condition is repeated, because a counter may start again after the subquery has read it.
    .where('expire', '<', String(nowMs))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
