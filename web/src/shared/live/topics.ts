import type { LiveTopic } from '@cairn/gateway-contracts'

/** The first parts of the query keys that each topic invalidates. */
const ROOTS: Record<LiveTopic, readonly string[]> = {
  balance: ['stats', 'session', 'users', 'reserve', 'coverage', 'referrals'],
  transactions: ['transactions', 'stats'],
  investments: ['investments', 'stats'],
  notifications: ['notifications'],
  account: ['session', 'users', 'banks', 'sessions'],
  plans: ['plans'],
  settings: ['settings'],
  queue: ['transactions', 'stats', 'approvals', 'adjustments', 'reserve'],
  log: ['ledger'],
}

export function rootsOf(topics: Iterable<LiveTopic>): readonly string[] {
  return [...new Set([...topics].flatMap((topic) => ROOTS[topic]))]
}
