import type { Minor } from '../../shared/money/money.ts'
import type { LogEvent } from './queries.ts'

/** Formats `WithdrawalCancelled` as `Withdrawal cancelled`. */
export function describeEvent(type: string): string {
  const words = type.replace(/([a-z])([A-Z])/g, (_all, left: string, right: string) => {
    return `${left} ${right.toLowerCase()}`
  })
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/**
 * Returns the name of an actor if the name is known. Otherwise formats `system:<name>` as `The
 * platform (<name>)` and returns all other actors unchanged.
 */
export function describeActor(actor: string, name: string | undefined): string {
  if (name !== undefined) return name
  const [kind = '', id = ''] = actor.split(':')
  return kind === 'system' ? `The platform (${id})` : actor
}

/** The events whose amount is the principal. Others credit a part of it, or profit too. */
const PRINCIPAL_EVENTS: readonly string[] = ['InvestmentOpened', 'InvestmentCancelled']

/**
 * Returns the amount that the data of an event states, as on the other pages; null if the data
 * states none. The credits of a new investment add up to more: its principal and its promised
 * profit.
 */
export function findStatedMinor({ type, data }: Pick<LogEvent, 'type' | 'data'>): Minor | null {
  const stated = PRINCIPAL_EVENTS.includes(type) ? data.principalMinor : data.amountMinor
  return typeof stated === 'string' && /^\d+$/u.test(stated) ? BigInt(stated) : null
}

/** The words for the kinds of accounts, and for the wallets. */
export const KIND_WORDS: Readonly<Record<string, string>> = {
  balance: 'Balance',
  profit: 'Profit',
  referral: 'Referral',
  principal: 'Invested principal',
  reserve: 'Reserve',
  committed: 'Promised profit',
  fees: 'Fees',
  marketing: 'Marketing',
  adjustments: 'Adjustments',
  income: 'Income',
  opening: 'Opening balances',
  cash: 'Cash',
}

/**
 * Returns a label for an account code, without the id of an investor or of a cash account. The
 * label contains the asset if the asset is not the currency of the site.
 */
export function describeAccount(code: string): string {
  const [account = '', asset] = code.split('@')
  const described = describeAccountInCurrency(account)
  return asset === undefined ? described : `${described} (${asset.split('/')[0]})`
}

function describeAccountInCurrency(account: string): string {
  const parts = account.startsWith('investor:') ? account.split(':').slice(2) : [account]
  const [first = '', second] = parts[0]?.startsWith('cash:') ? ['cash'] : parts
  if (first === 'held' && second !== undefined) return `Held ${describeKind(second).toLowerCase()}`
  return describeKind(first)
}

export function describeKind(kind: string): string {
  const [first = '', second] = kind.split(':')
  if (first === 'held' && second !== undefined) return `Held ${describeKind(second).toLowerCase()}`
  return KIND_WORDS[first] ?? kind
}

type EventFilter = {
  type?: string
  reference?: string
  actor?: string
  account?: string
  user?: string
  amount?: string
  externalId?: string
  from?: string
  to?: string
}
const FILTER_NAMES = [
  'type',
  'reference',
  'actor',
  'account',
  'user',
  'amount',
  'externalId',
  'from',
  'to',
] as const
export type FilterName = (typeof FILTER_NAMES)[number]

/** Reads the filter from the URL. The server rejects values that it does not know. */
export function readEventFilter(search: URLSearchParams): EventFilter {
  const filter: EventFilter = {}
  for (const name of FILTER_NAMES) {
    const value = search.get(name)?.trim()
    if (value !== undefined && value !== '') filter[name] = value
  }
  return filter
}

/** Lists links to the objects that the event data names. */
export function listLinks(
  data: Readonly<Record<string, unknown>>,
): ReadonlyArray<{ label: string; to: string }> {
  const { investorId, bonusTo, transactionId, investmentId } = data
  const links = []
  if (typeof transactionId === 'string') {
    const to = `/manage/admin/transactions?transaction=${transactionId}`
    links.push({ label: 'The transaction', to })
  }
  if (typeof investmentId === 'string') {
    const to = `/manage/admin/investments?investment=${investmentId}`
    links.push({ label: 'The investment', to })
  }
  if (typeof investorId === 'string') {
    links.push({ label: 'The user', to: `/manage/admin/users/${investorId}` })
  }
  if (typeof bonusTo === 'string') {
    links.push({ label: 'The referrer', to: `/manage/admin/users/${bonusTo}` })
  }
  return links
}

/**
 * Returns the numbers of the first and the last event that were recorded together with this event.
 */
export function findLinkedRange(
  seq: string,
  { index, length }: { index: number; length: number },
): { first: string; last: string } {
  const first = BigInt(seq) - BigInt(index)
  return { first: String(first), last: String(first + BigInt(length) - 1n) }
}
