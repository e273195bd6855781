import { listReviewTimes, type ReviewTime } from '@cairn/gateway-contracts'
import { DECISIONS_MIN, measureDecisions } from '../claims/decisions.ts'
import type { Dependencies } from '../dependencies.ts'
import { type Route, route } from '../http/registry.ts'

/** Measured anew once a minute, however many wait. */
const FRESH_MS = 60_000

type ReviewTimes = Record<'deposit' | 'withdrawal', ReviewTime | null>

export function reviewTimeRoute(deps: Dependencies): Route {
  let known: { atMs: number; times: Promise<ReviewTimes> } | null = null
  const options = { rate: 'read', owner: 'any', audit: null } as const
  return route(listReviewTimes, options, async (_request, { nowMs }) => {
    if (known === null || Math.abs(nowMs - known.atMs) > FRESH_MS) {
      const times = measure(deps, nowMs)
      known = { atMs: nowMs, times }
      times.catch(() => {
        known = null
      })
    }
    return await known.times
  })
}

async function measure(deps: Dependencies, nowMs: number): Promise<ReviewTimes> {
  const [deposit, withdrawal] = await Promise.all(
    (['deposit', 'withdrawal'] as const).map(async (type) => {
      const measured = await measureDecisions(deps, nowMs, type)
      return measured.count >= DECISIONS_MIN ? measured : null
    }),
  )
  return { deposit: deposit ?? null, withdrawal: withdrawal ?? null }
}
