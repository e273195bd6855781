import type { LedgerClient, RecordedEvent } from '@cairn/ledger-contracts'
import { RULES } from './baseline.ts'
import { type Controls, findWeakenedControl, findWeakerRules } from './controls.ts'

// Finds acts that one administrator made alone although two administrators are required. It uses
// only the log and the controls.

const DAY_MS = 24 * 3_600_000
const PAGE = 200

/**
 * Acts that count against the threshold, each with the property of its data that has the amount.
 */
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
/** Acts that do not count, because a declined request moves no money to another person. */
const UNCOUNTED = ['DepositDeclined', 'WithdrawalDeclined']
/** Acts that always need two people, whatever their data. */
const FORBIDDEN = [
  'ApproverAdded',
  'ApproverRemoved',
  'DualControlSet',
  'KeyRotationPermitted',
  'ImportPermitted',
]

export async function readEvents(
  ledger: LedgerClient,
  after: bigint,
): Promise<readonly RecordedEvent[]> {
  const { events } = await ledger.events({ after, waitSeconds: 0, limit: PAGE })
  if (events.length === PAGE) throw new Error('a sequence recorded more events than a page has')
  return events
}

/**
 * Returns an act that one administrator made alone although two administrators are required; null
 * if every act had the required administrators.
 */
export function findViolation(
  events: readonly RecordedEvent[],
  { before, after }: { before: Controls; after: Controls },
): string | null {
  return findForbiddenEvent(events) ?? findWeakenedControl(before, after)
}

/**
 * Counts every event of a controlled type as the act of one administrator. Only one administrator
 * acts in these tests, so any other approver in the log is false.
 */
function findForbiddenEvent(events: readonly RecordedEvent[]): string | null {
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

/** Converts stored rules, whose integers are strings. */
function toRules(stored: unknown): typeof RULES {
  // The cast is safe because the ledger recorded the rules with the schema of the event.
  const rules = stored as { [Name in keyof typeof RULES]: string | boolean | null }
  const toMinor = (value: string | boolean | null) =>
    value === null ? null : BigInt(String(value))
  return {
    ...RULES,
    coolingOffHours: Number(rules.coolingOffHours),
    isReferralEnabled: rules.isReferralEnabled === true,
    coverageMode: rules.coverageMode === 'strict' ? 'strict' : 'disclose',
    approvalThresholdMinor: toMinor(rules.approvalThresholdMinor),
    dailyWithdrawalLimitMinor: toMinor(rules.dailyWithdrawalLimitMinor),
    monthlyWithdrawalLimitMinor: toMinor(rules.monthlyWithdrawalLimitMinor),
  }
}
