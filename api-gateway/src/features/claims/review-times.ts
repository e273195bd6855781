import { listReviewTimes, PayOption, type ReviewTime } from '@cairn/gateway-contracts'
import { createCachedValue } from '../../platform/cache.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { declareRoute, type Route } from '../../platform/http/registry.ts'
import { DECISIONS_MIN, measureDecisionTimes } from './decisions.ts'

/** Lifetime of the cached measurement, in milliseconds. */
const FRESH_MS = 60_000

export function createReviewTimeRoute(deps: Pick<Dependencies, 'ledger'>): Route {
  const measured = createCachedValue(FRESH_MS, async (nowMs) => {
    const measure = (only: Parameters<typeof measureDecisionTimes>[2]) =>
      measureReviewTime(deps, nowMs, only)
    const [deposit, withdrawal, ...methods] = await Promise.all([
      measure({ type: 'deposit' }),
      measure({ type: 'withdrawal' }),
      ...PayOption.options.map((method) => measure({ type: 'deposit', method })),
    ])
    const depositMethods = PayOption.options.flatMap((method, place) => {
      const time = methods[place] ?? null
      return time === null ? [] : [{ method, ...time }]
    })
    return { deposit, withdrawal, depositMethods }
  })
  const options = { rate: 'read', owner: 'any', audit: null } as const
  return declareRoute(listReviewTimes, options, (_request, { nowMs }) => measured.read(nowMs))
}

async function measureReviewTime(
  deps: Pick<Dependencies, 'ledger'>,
  nowMs: number,
  only: Parameters<typeof measureDecisionTimes>[2],
): Promise<ReviewTime | null> {
  const measured = await measureDecisionTimes(deps, nowMs, only)
  return measured.count >= DECISIONS_MIN ? measured : null
}
