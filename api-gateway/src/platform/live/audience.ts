import type { LiveTopic } from '@cairn/gateway-contracts'
import type { RecordedEvent } from '@cairn/ledger-contracts'
import { findEffects } from '../find-effects.ts'

/** The users whose pages an event affects, and the topics that these pages load again. */
export interface Audience {
  investorIds: ReadonlySet<string>
  topics: readonly LiveTopic[]
  /** True if the event affects the pages of all users. */
  isPublic: boolean
}

export function findAudience({ type, data, postings }: RecordedEvent): Audience {
  const investorIds = new Set<string>()
  for (const name of ['investorId', 'bonusTo', 'referrerId']) {
    const id = data[name]
    if (typeof id === 'string') investorIds.add(id)
  }
  for (const { account } of postings) {
    const [kind, id = ''] = account.split(':')
    if (kind === 'investor') investorIds.add(id)
  }
  const effects = findEffects(type)
  const balance: readonly LiveTopic[] = postings.length > 0 ? ['balance'] : []
  const topics = [...(effects?.topics ?? []), ...balance]
  return { investorIds, topics, isPublic: effects?.audience === 'all users' }
}
