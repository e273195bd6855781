import type { LedgerClient, RecordedEvent } from '@cairn/ledger-contracts'
import { RULES } from './baseline.ts'
import { type Controls, findWeakenedControl, findWeakerRules } from './controls.ts'

// Finds events that one administrator caused alone although two administrators were required. Reads
// only the log and the controls.

const DAY_MS = 24 * 3_600_000
const PAGE = 200

/**
 * Events whose amount counts against the threshold, each with the property that contains the
 * amount.
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
/**
 * Events that do not count against the threshold, because a declined request moves no money to
 * another person.
 */
const UNCOUNTED = ['DepositDeclined', 'WithdrawalDeclined']
/** Events that always need two administrators, whatever their data. */
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
 * Returns an event that one administrator caused alone although two administrators were required.
 * Returns null if there is no such event.
 */
export function findViolation(
  events: readonly RecordedEvent[],
  { before, after }: { before: Controls; after: Controls },
): string | null {
  return findForbiddenEvent(events) ?? findWeakenedControl(before, after)
}

/**
 * Describes the first forbidden event; returns null if there is none. Ignores the approvers that an
 * event names, because only one administrator acts in these tests and any other approver is forged.
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

/** Converts stored rules to money rules, because the stored integers are strings. */
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
