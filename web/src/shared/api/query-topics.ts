import type { LiveTopic } from '@cairn/gateway-contracts'

type QueryTopics = Readonly<Record<string, readonly LiveTopic[]>>
type MissingTopic<Table extends QueryTopics> = Exclude<LiveTopic, Table[keyof Table][number]>

/**
 * Returns the table. If a live topic is in no row, the call does not compile, because no query
 * would follow the messages of this topic.
 */
export function defineQueryTopics<const Table extends QueryTopics>(
  table: [MissingTopic<Table>] extends [never] ? Table : { missing: MissingTopic<Table> },
): Table {
  // The cast is safe because the argument of every call that compiles has the type `Table`.
  return table as Table
}

/** For the first part of every query key, the live topics that make its queries stale. */
const QUERY_TOPICS = defineQueryTopics({
  approvals: ['approvals'],
  adjustments: ['queue'],
  announcements: ['approvals'],
  'admin-settings': [],
  audit: [],
  bankStatements: [],
  banks: ['account'],
  claims: ['approvals'],
  countries: [],
  coverage: ['balance'],
  depositReference: [],
  endorsements: [],
  faqs: [],
  investments: ['investments'],
  jobs: [],
  ledger: ['log'],
  // A search reads many events: if it began again with each new event, it would never end.
  ledgerSearch: [],
  ledgers: ['approvals'],
  link: [],
  logKey: [],
  messages: [],
  mfa: [],
  notifications: ['notifications'],
  passkeys: [],
  paymentOptions: ['approvals'],
  plans: ['plans'],
  preferences: [],
  proof: [],
  referrals: ['balance'],
  reserve: ['balance', 'queue'],
  reviewTimes: [],
  roles: ['account'],
  scripts: [],
  session: ['balance', 'account'],
  sessions: ['account'],
  settings: ['settings'],
  statements: [],
  stats: ['balance', 'transactions', 'investments', 'queue'],
  status: [],
  templates: ['approvals'],
  transactions: ['transactions', 'queue'],
  users: ['balance', 'account'],
})

export type QueryRoot = keyof typeof QUERY_TOPICS

// The cast is safe because the keys of the object are the names in the table.
const ROOTS = Object.keys(QUERY_TOPICS) as readonly QueryRoot[]

/** Lists the keys that a change to these topics makes stale. */
export function listStaleKeys(topics: Iterable<LiveTopic>): ReadonlyArray<readonly [QueryRoot]> {
  const changed = new Set(topics)
  return ROOTS.filter((root) => QUERY_TOPICS[root].some((topic) => changed.has(topic))).map(
    (root) => [root],
  )
}
