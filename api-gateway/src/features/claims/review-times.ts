import { listReviewTimes, type ReviewTime } from '@cairn/gateway-contracts'
import { createCachedValue } from '../../platform/cache.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { declareRoute, type Route } from '../../platform/http/registry.ts'
import { DECISIONS_MIN, measureDecisionTimes } from './decisions.ts'

/** Lifetime of the cached measurement, in milliseconds. */
const FRESH_MS = 60_000

export function createReviewTimeRoute(deps: Pick<Dependencies, 'ledger'>): Route {
  const measured = createCachedValue(FRESH_MS, async (nowMs) => {
    const [deposit, withdrawal] = await Promise.all([
      measureReviewTime(deps, 'deposit', nowMs),
      measureReviewTime(deps, 'withdrawal', nowMs),
    ])
    return { deposit, withdrawal }
  })
  const options = { rate: 'read', owner: 'any', audit: null } as const
  return declareRoute(listReviewTimes, options, (_request, { nowMs }) => measured.read(nowMs))
}

async function measureReviewTime(
  deps: Pick<Dependencies, 'ledger'>,
  type: 'deposit' | 'withdrawal',
  nowMs: number,
): Promise<ReviewTime | null> {
  const measured = await measureDecisionTimes(deps, nowMs, type)
  return measured.count >= DECISIONS_MIN ? measured : null
}
