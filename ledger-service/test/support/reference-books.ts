import type { MoneyRules, PlanTerms } from '@cairn/ledger-contracts'

/** The outcome of a command: `recorded`, or the code of the refusal. */
export type Verdict = string

export interface ReferenceInvestor {
  standing: string
  referrerId: string | null
  pending: number
  running: number
  /**
   * The sum of the bonuses that could not be taken back, because the referrer had already spent
   * them.
   */
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
  /** The time of the request, in hours since 1970. */
  askedHour: number
  isCredit: boolean
  cash: string | null
  requestedBy: string
  isOnHold: boolean
  /** The hash of the bank account. */
  bank: string
  decidedBy: string | null
}

/** A file of opening balances. */
export interface ReferenceFile {
  /**
   * The time at which two administrators last permitted a new signing key, in milliseconds since
   * 1970.
   */
  permittedMs: number | null
  line: number
  lastLine: number
}

/**
 * The approvers, and all amounts that administrators moved without a second approver, since the
 * start of the run.
 */
export interface ReferenceControls {
  isRequired: boolean
  readonly approvers: Map<string, { addedMs: number; isActive: boolean }>
  readonly alone: { approver: string; hour: number; amountMinor: bigint; asset: string }[]
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
  /** The hour in which the bonus is due. Null if the bonus is paid or does not exist. */
  bonusDueHour: number | null
}

/**
 * An independent implementation of the rules. This implementation shares only the command types
 * with the ledger.
 */
export interface ReferenceBooks {
  /** Hours since 1970. */
  hour: number
  rules: MoneyRules
  /** The number of sealed rows of the audit log. */
  sealedRows: number
  /**
   * The number of months from the beginning of year 0 to the last closed month. Null if no month
   * was closed.
   */
  closedMonths: number | null
  /** The files of opening balances, by hash. */
  readonly files: Map<string, ReferenceFile>
  readonly plans: Map<string, { version: number; terms: PlanTerms }>
  readonly investors: Map<string, ReferenceInvestor>
  readonly requests: Map<string, ReferenceRequest>
  readonly investments: Map<string, ReferenceInvestment>
  readonly balances: Map<string, bigint>
  readonly controls: ReferenceControls
  /** The changes that the last command made, by account. */
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
    closedMonths: null,
    files: new Map(),
    plans: new Map(),
    investors: new Map(),
    requests: new Map(),
    investments: new Map(),
    balances: new Map(),
    controls: { isRequired: false, approvers: new Map(), alone: [] },
    changed: new Map(),
  }
}

export function getBalance(books: ReferenceBooks, account: string): bigint {
  return books.balances.get(account) ?? 0n
}

export function postAmount(
  books: ReferenceBooks,
  from: string,
  to: string,
  amountMinor: bigint,
): void {
  for (const [account, change] of [
    [from, -amountMinor],
    [to, amountMinor],
  ] as const) {
    books.balances.set(account, getBalance(books, account) + change)
    books.changed.set(account, (books.changed.get(account) ?? 0n) + change)
  }
}

export function formatAccount(investorId: string, name: string): string {
  return `investor:${investorId}:${name}`
}

/** Returns a share, rounded half up to whole cents. */
export function computeShare(amountMinor: bigint, ppm: number): bigint {
  const millionths = amountMinor * BigInt(ppm)
  const whole = millionths / 1_000_000n
  return millionths % 1_000_000n >= 500_000n ? whole + 1n : whole
}

/** Returns the sum of an investor's requests in the current day or month. */
export function sumRequestedWithdrawals(
  books: ReferenceBooks,
  investorId: string,
  period: 'day' | 'month',
): bigint {
  const formatName = (hour: number) => {
    const time = new Date(hour * 3_600_000)
    const day = period === 'day' ? time.getUTCDate() : ''
    return `${time.getUTCFullYear()} ${time.getUTCMonth()} ${day}`
  }
  return [...books.requests.values()]
    .filter(({ kind, status }) => kind === 'withdrawal' && ['pending', 'success'].includes(status))
    .filter((request) => request.investorId === investorId)
    .filter((request) => formatName(request.askedHour) === formatName(books.hour))
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
}

export function findStandingProblem(books: ReferenceBooks, investorId: string): Verdict | null {
  const investor = books.investors.get(investorId)
  if (investor === undefined) return 'INVESTOR_UNKNOWN'
  return investor.standing === 'active' ? null : 'INVESTOR_NOT_ACTIVE'
}

export function getInvestor(books: ReferenceBooks, investorId: string): ReferenceInvestor {
  const investor = books.investors.get(investorId)
  if (investor === undefined) throw new Error(`the reference lost investor ${investorId}`)
  return investor
}
