import type { LiveTopic } from '@cairn/gateway-contracts'
import type { RecordedEvent } from '@cairn/ledger-contracts'

/** The users whom an event affects, and the topics that their pages load again. */
export interface Audience {
  investorIds: ReadonlySet<string>
  topics: readonly LiveTopic[]
  /** True if the event affects the pages of all users. */
  isPublic: boolean
}

export function audienceOf({ type, data, postings }: RecordedEvent): Audience {
  const investorIds = new Set<string>()
  for (const name of ['investorId', 'bonusTo', 'referrerId']) {
    const id = data[name]
    if (typeof id === 'string') investorIds.add(id)
  }
  for (const { account } of postings) {
    const [kind, id = ''] = account.split(':')
    if (kind === 'investor') investorIds.add(id)
  }
  const isPublic = type === 'PlanDefined' || type === 'MoneyRulesSet'
  return { investorIds, topics: topicsOf(type, postings.length > 0), isPublic }
}

function topicsOf(type: string, isMoved: boolean): readonly LiveTopic[] {
  const moved: readonly LiveTopic[] = isMoved ? ['balance'] : []
  if (type === 'PlanDefined') return ['plans']
  if (type === 'MoneyRulesSet') return ['settings']
  if (/^(Deposit|Withdrawal|Adjustment)/.test(type)) return ['transactions', 'queue', ...moved]
  if (/^(Reserve|Swe)/.test(type)) return ['transactions', 'queue', ...moved]
  if (/^Wallet/.test(type)) return ['transactions', ...moved]
  if (/^(Investment|Profit)/.test(type)) return ['investments', 'transactions', ...moved]
  if (/^Investor/.test(type)) return ['account']
  return moved
}
