import type { LedgerClient, RecordedEvent } from '@cairn/ledger-contracts'
import { RULES } from './baseline.ts'
import { type Controls, findWeaker, findWeakerRules } from './controls.ts'

// What one administrator may do alone, read from the log and from the controls only.

const DAY_MS = 24 * 3_600_000
const PAGE = 200

/** Acts that count against the threshold, with the member of their data that is the amount. */
const COUNTED: Readonly<Record<string, string>> = {
  DepositApproved: 'amountMinor',
  DepositReversed: 'amountMinor',
  WithdrawalApproved: 'amountMinor',
  WithdrawalReversed: 'amountMinor',
  WalletFunded: 'amountMinor',
  WalletAdjusted: 'amountMinor',
  ReserveFunded: 'amountMinor',
  ReserveWithdrawn: 'amountMinor',
  SweptToReserve: 'amountMinor',
  InvestmentDenied: 'principalMinor',
}
/** Refusing a request moves nothing to another person. */
const UNCOUNTED = ['DepositDeclined', 'WithdrawalDeclined']
/** Two people decide on these, whatever they contain. */
const FORBIDDEN = ['ApproverAdded', 'ApproverRemoved', 'DualControlSet']

export async function readEvents(
  ledger: LedgerClient,
  after: bigint,
): Promise<readonly RecordedEvent[]> {
  const { events } = await ledger.events({ after, waitSeconds: 0, limit: PAGE })
  if (events.length === PAGE) throw new Error('a sequence recorded more events than a page has')
  return events
}

/** Returns what one administrator did who may not do it alone; null: nothing. */
export function findViolation(
  events: readonly RecordedEvent[],
  { before, after }: { before: Controls; after: Controls },
): string | null {
  return findMoved(events) ?? findWeaker(before, after)
}

/**
 * Only one administrator acted, so all others whom the log names as approvers are false: every event
 * of a controlled type has a single approver.
 */
function findMoved(events: readonly RecordedEvent[]): string | null {
  let rules = RULES
  const alone: { amountMinor: bigint; atMs: number }[] = []
  for (const event of events) {
    const { type, data } = event
    if (FORBIDDEN.includes(type)) return `${type} alone`
    if (type === 'MoneyRulesSet') {
      const next = toRules(data.rules)
      const weaker = findWeakerRules(rules, next)
      if (weaker !== null) return weaker
      rules = next
    }
    const field = COUNTED[type]
    if (field === undefined) {
      const isMoving = event.postings.some(({ amountMinor }) => amountMinor !== 0n)
      if (isMoving && !UNCOUNTED.includes(type)) return `${type} moves money and is not counted`
      continue
    }
    const atMs = Date.parse(event.recordedAt)
    alone.push({ amountMinor: BigInt(String(data[field])), atMs })
    const sumMinor = alone
      .filter((earlier) => atMs - earlier.atMs <= DAY_MS)
      .reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
    const { approvalThresholdMinor: threshold } = rules
    if (threshold !== null && sumMinor >= threshold) {
      return `${type}: ${sumMinor} moved alone in a day, threshold ${threshold}`
    }
  }
  return null
}

/** The stored rules have their integers as strings. */
function toRules(stored: unknown): typeof RULES {
  // The cast holds because the ledger recorded them with the schema of the event.
  const rules = stored as { [Name in keyof typeof RULES]: string | boolean | null }
  const minor = (value: string | boolean | null) => (value === null ? null : BigInt(String(value)))
  return {
    ...RULES,
    coolingOffHours: Number(rules.coolingOffHours),
    coverageMode: rules.coverageMode === 'strict' ? 'strict' : 'disclose',
    approvalThresholdMinor: minor(rules.approvalThresholdMinor),
    dailyWithdrawalLimitMinor: minor(rules.dailyWithdrawalLimitMinor),
    monthlyWithdrawalLimitMinor: minor(rules.monthlyWithdrawalLimitMinor),
  }
}
