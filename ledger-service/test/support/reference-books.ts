import type { MoneyRules, PlanTerms } from '@cairn/ledger-contracts'

/** The outcome of a command: `recorded`, or the refusal. */
export type Verdict = string

export interface ReferenceInvestor {
  standing: string
  referrerId: string | null
  pending: number
  running: number
  /** Bonuses that were spent before they were taken back. */
  lostMinor: bigint
}

export interface ReferenceRequest {
  kind: 'deposit' | 'withdrawal' | 'adjustment' | 'movement' | 'reserve-withdrawal' | 'sweep'
  status: 'pending' | 'success' | 'declined' | 'cancelled'
  investorId: string
  amountMinor: bigint
  feeMinor: bigint
  feePpm: number
  wallet: string
  /** Hours since 1970. */
  askedHour: number
  isCredit: boolean
  cash: string | null
  requestedBy: string
  isOnHold: boolean
  /** The hash of the bank account. */
  bank: string
  decidedBy: string | null
}

/** Who may approve, and what single administrators did. Never forgets an act. */
export interface ReferenceControls {
  isRequired: boolean
  readonly approvers: Map<string, { addedMs: number; isActive: boolean }>
  readonly alone: { approver: string; hour: number; amountMinor: bigint }[]
}

export interface ReferenceInvestment {
  status: 'active' | 'completed' | 'denied' | 'cancelled'
  investorId: string
  terms: PlanTerms
  principalMinor: bigint
  promisedMinor: bigint
  creditedMinor: bigint
  unitsDone: number
  startedHour: number
  bonusMinor: bigint
  bonusTo: string | null
  /** The hour in which an unpaid bonus is due; null: paid, or none. */
  bonusDueHour: number | null
}

/**
 * An independent implementation of the rules with mutable maps. It shares only the command types with
 * the ledger.
 */
export interface ReferenceBooks {
  /** Hours since 1970. */
  hour: number
  rules: MoneyRules
  /** The rows of the audit log that are sealed. */
  sealedRows: number
  readonly plans: Map<string, { version: number; terms: PlanTerms }>
  readonly investors: Map<string, ReferenceInvestor>
  readonly requests: Map<string, ReferenceRequest>
  readonly investments: Map<string, ReferenceInvestment>
  readonly balances: Map<string, bigint>
  readonly controls: ReferenceControls
  /** The changes of the last command, by account. */
  readonly changed: Map<string, bigint>
}

export function openReferenceBooks(startMs: number): ReferenceBooks {
  return {
    hour: Math.floor(startMs / 3_600_000),
    rules: {
      depositFeePpm: 0,
      withdrawalFeePpm: 0,
      minimumDepositMinor: 1_000n,
      minimumWithdrawalMinor: 2_000n,
      coverageMode: 'disclose',
      isReferralEnabled: true,
      approvalThresholdMinor: null,
      coolingOffHours: 0,
      dailyWithdrawalLimitMinor: null,
      monthlyWithdrawalLimitMinor: null,
    },
    sealedRows: 0,
    plans: new Map(),
    investors: new Map(),
    requests: new Map(),
    investments: new Map(),
    balances: new Map(),
    controls: { isRequired: false, approvers: new Map(), alone: [] },
    changed: new Map(),
  }
}

export function held(books: ReferenceBooks, account: string): bigint {
  return books.balances.get(account) ?? 0n
}

export function pay(books: ReferenceBooks, from: string, to: string, amountMinor: bigint): void {
  for (const [account, change] of [
    [from, -amountMinor],
    [to, amountMinor],
  ] as const) {
    books.balances.set(account, held(books, account) + change)
    books.changed.set(account, (books.changed.get(account) ?? 0n) + change)
  }
}

export function wallet(investorId: string, name: string): string {
  return `investor:${investorId}:${name}`
}

/** Rounds half up to whole cents. */
export function percentOf(amountMinor: bigint, ppm: number): bigint {
  const millionths = amountMinor * BigInt(ppm)
  const whole = millionths / 1_000_000n
  return millionths % 1_000_000n >= 500_000n ? whole + 1n : whole
}

/** Sums an investor's requests of the current day or month from the requests. */
export function askedFor(
  books: ReferenceBooks,
  investorId: string,
  period: 'day' | 'month',
): bigint {
  const name = (hour: number) => {
    const time = new Date(hour * 3_600_000)
    const day = period === 'day' ? time.getUTCDate() : ''
    return `${time.getUTCFullYear()} ${time.getUTCMonth()} ${day}`
  }
  return [...books.requests.values()]
    .filter(({ kind, status }) => kind === 'withdrawal' && ['pending', 'success'].includes(status))
    .filter((request) => request.investorId === investorId)
    .filter((request) => name(request.askedHour) === name(books.hour))
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
}

export function whyNotActive(books: ReferenceBooks, investorId: string): Verdict | null {
  const investor = books.investors.get(investorId)
  if (investor === undefined) return 'INVESTOR_UNKNOWN'
  return investor.standing === 'active' ? null : 'INVESTOR_NOT_ACTIVE'
}

export function known(books: ReferenceBooks, investorId: string): ReferenceInvestor {
  const investor = books.investors.get(investorId)
  if (investor === undefined) throw new Error(`the reference lost investor ${investorId}`)
  return investor
}
