import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { model } from '../src/domain/model.ts'
import type { Model } from '../src/log/model.ts'
import { CONTROL_HOLES } from './support/dual-control-holes.ts'
import { DAY_MS, executeSteps, steps, type Witnessed } from './support/dual-control-world.ts'

/** The number of random sequences; 20,000 in `npm run torture`. */
const RUNS = Number(process.env.DUAL_CONTROL_RUNS ?? 500)
/** With this seed, each planted bug is found in far fewer runs than `numRuns`. */
const HOLES = { seed: 1, numRuns: 20_000, endOnFailure: true }

/**
 * Returns the amount of the event if one administrator may decide such an event alone below the
 * threshold. Returns zero for all other types of events.
 */
function getAmount({ fact }: Witnessed['event']): bigint {
  switch (fact.type) {
    case 'ReserveFunded':
    case 'ReserveWithdrawn':
    case 'WalletFunded':
    case 'WalletAdjusted':
    case 'DepositApproved':
    case 'DepositReversed':
    case 'WithdrawalApproved':
    case 'WithdrawalReversed':
      return fact.data.amountMinor
    default:
      return 0n
  }
}

/**
 * Returns how the events violate dual control, or null. In any 24 hours, the amounts that one
 * administrator moved alone must stay below the threshold, and no control may be weakened alone.
 */
function findViolation(witnessed: readonly Witnessed[]): string | null {
  const held = new Set<string>()
  const permitted = new Set<string>()
  for (const [place, seen] of witnessed.entries()) {
    const { event, people, thresholdMinor, activeCount, isDormantPaid } = seen
    const { fact } = event
    if (fact.type === 'WithdrawalHeld') held.add(fact.data.transactionId)
    if (activeCount < 2) return 'fewer than two approvers stay'
    if (fact.type === 'ImportPermitted' && people.length > 1) permitted.add(fact.data.fileSha256)
    if (fact.type === 'BalanceImported' && !permitted.has(fact.data.fileSha256)) {
      return 'opening balances that two people did not permit'
    }
    if (people.length > 1) continue
    if (isDormantPaid) return 'an inactive account paid alone'
    if (fact.type === 'ApproverAdded' || fact.type === 'ApproverRemoved')
      return `${fact.type} alone`
    if (fact.type === 'KeyRotationPermitted') return 'a new signing key permitted alone'
    if (fact.type === 'ImportPermitted') return 'opening balances permitted alone'
    if (fact.type === 'DualControlSet' && fact.data.mode === 'single')
      return 'dual control ended alone'
    if (fact.type === 'AssetMoved' && thresholdMinor !== null) {
      return 'an asset without a threshold moved alone'
    }
    if (fact.type === 'PlanDefined' && fact.data.version === 1) return 'a new plan alone'
    if (fact.type === 'WithdrawalApproved' && held.has(fact.data.transactionId)) {
      return 'a withdrawal on hold paid alone'
    }
    if (fact.type === 'MoneyRulesSet') {
      const next = fact.data.rules.approvalThresholdMinor
      const isWeaker = thresholdMinor !== null && (next === null || next > thresholdMinor)
      if (isWeaker) return 'the threshold raised alone'
      continue
    }
    if (thresholdMinor === null || getAmount(event) === 0n) continue
    const sum = witnessed
      .slice(0, place + 1)
      .filter((earlier) => earlier.people.length === 1)
      .filter((earlier) => event.recordedAtMs - earlier.event.recordedAtMs <= DAY_MS)
      .reduce((total, earlier) => total + getAmount(earlier.event), 0n)
    if (sum >= thresholdMinor) return `${sum} moved alone in a day, threshold ${thresholdMinor}`
  }
  return null
}

function createProperty(played: Model) {
  return fc.property(steps, (script) => {
    expect(findViolation(executeSteps(played, script))).toBeNull()
  })
}

describe('dual control', () => {
  test('one administrator moves less than the threshold in a day and weakens no control', () => {
    fc.assert(createProperty(model), { numRuns: RUNS })
  })

  test.each(Object.entries(CONTROL_HOLES))('finds a planted hole: %s', (_name, sabotaged) => {
    const found = fc.check(createProperty(sabotaged), HOLES)
    expect(found.failed).toBe(true)
  })
})
