import { MoneyRules } from '@cairn/ledger-contracts'
import { createStateTable, type RowOf } from '../../log/table.ts'
import type { View } from '../../log/view.ts'
import { type Decider, type Evolve, record } from '../decider.ts'

export const rulesTable = createStateTable('rules', '', {
  version: 'int4',
  depositFeePpm: 'int4',
  withdrawalFeePpm: 'int4',
  minimumDepositMinor: 'int8',
  minimumWithdrawalMinor: 'int8',
  coverageMode: MoneyRules.shape.coverageMode.options,
  isReferralEnabled: 'bool',
  approvalThresholdMinor: 'int8?',
  coolingOffHours: 'int4',
  dailyWithdrawalLimitMinor: 'int8?',
  monthlyWithdrawalLimitMinor: 'int8?',
  lastSeq: 'int8',
})
export type Rules = RowOf<typeof rulesTable>

/** The rules that apply until an administrator saves rules for the first time. */
export const DEFAULT_RULES: Rules = {
  version: 0,
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
  lastSeq: 0n,
}

export function findRulesInForce(view: View): Rules {
  return view.find(rulesTable, '') ?? DEFAULT_RULES
}

export const setMoneyRules: Decider<'SetMoneyRules'> = {
  needs: () => [],
  decide: ({ rules }, view, context) => {
    const version = findRulesInForce(view).version + 1
    return record({ type: 'MoneyRulesSet', data: { version, rules } }, context)
  },
}

export const applyMoneyRulesSet: Evolve<'MoneyRulesSet'> = ({ version, rules }, view, { seq }) => {
  view.put(rulesTable, { ...rules, version, lastSeq: seq })
}
