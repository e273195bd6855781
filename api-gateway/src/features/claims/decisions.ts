import type { PayOption } from '@cairn/gateway-contracts'
import type { QueryResponse } from '@cairn/ledger-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'

const DAY_MS = 86_400_000
const DECISIONS_DAYS = 30
/** Minimum number of decisions. A measurement of fewer decisions is not representative. */
export const DECISIONS_MIN = 20

/** Measures the time from request to decision over the last 30 days. */
export function measureDecisionTimes(
  deps: Pick<Dependencies, 'ledger'>,
  nowMs: number,
  only: { type?: 'deposit' | 'withdrawal'; method?: PayOption } = {},
): Promise<QueryResponse<'decisionTimes'>> {
  const from = new Date(nowMs - DECISIONS_DAYS * DAY_MS).toISOString()
  return deps.ledger.ask('decisionTimes', { from, ...only })
}
