import type { QueryResponse } from '@cairn/ledger-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'

const DAY_MS = 86_400_000
const DECISIONS_DAYS = 30
/** Fewer say nothing about the next one. */
export const DECISIONS_MIN = 20

/** How long requests of the last 30 days waited for somebody's decision. */
export function measureDecisions(
  deps: Pick<Dependencies, 'ledger'>,
  nowMs: number,
  type?: 'deposit' | 'withdrawal',
): Promise<QueryResponse<'decisionTimes'>> {
  const from = new Date(nowMs - DECISIONS_DAYS * DAY_MS).toISOString()
  return deps.ledger.ask('decisionTimes', { from, type })
}
