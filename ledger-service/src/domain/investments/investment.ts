import { computeUnitEnd, type Id, InvestmentStatus, PlanTerms } from '@cairn/ledger-contracts'
import { type Refusal, refuse } from '../../log/model.ts'
import { createStateTable, type RowOf } from '../../log/table.ts'
import type { Need, View } from '../../log/view.ts'
import { addToTotal } from '../accounts/control-total.ts'

export const investmentTable = createStateTable('investment', 'investmentId', {
  investmentId: 'text',
  reference: 'text',
  investorId: 'text',
  planId: 'text',
  planVersion: 'int4',
  planName: 'text?',
  status: InvestmentStatus.options,
  principalMinor: 'int8',
  promisedMinor: 'int8',
  creditedMinor: 'int8',
  unit: PlanTerms.shape.unit.options,
  duration: 'int4',
  unitsDone: 'int4',
  returnPrincipal: 'bool',
  bonusMinor: 'int8',
  bonusTo: 'text?',
  bonusDueAt: 'timestamptz?',
  reason: 'text?',
  startedAt: 'timestamptz',
  expiresAt: 'timestamptz',
  nextDueAt: 'timestamptz?',
  endedAt: 'timestamptz?',
  seq: 'int8',
  lastSeq: 'int8',
})
export type Investment = RowOf<typeof investmentTable>

export function createInvestmentNeed(investmentId: Id): Need {
  return { table: investmentTable, key: investmentId }
}

export function findActiveInvestment(
  view: View,
  investmentId: Id,
): Investment | { refusal: Refusal } {
  const found = view.find(investmentTable, investmentId)
  if (found === null) return refuse('investmentUnknown')
  if (found.status === 'active') return found
  return refuse('investmentNotActive', {
    status: found.status,
  })
}

/** Changes a row and updates the control totals of its old and new status. */
export function updateInvestment(
  view: View,
  { investmentId, seq }: { investmentId: Id; seq: bigint },
  change: (investment: Investment) => Partial<Investment>,
): void {
  const row = view.find(investmentTable, investmentId)
  if (row === null) throw new Error(`investment ${investmentId} is not in the ledger`)
  const changed = { ...row, ...change(row), lastSeq: seq }
  if (changed.status === row.status) {
    // One change in place of two, because accruals are most events of a log.
    addToTotal(view, {
      name: `investment:${row.status}`,
      amountMinor: changed.principalMinor - row.principalMinor,
      profitMinor: changed.creditedMinor - row.creditedMinor,
      seq,
    })
  } else {
    addInvestmentToTotals(view, row, -1n, seq)
    addInvestmentToTotals(view, changed, 1n, seq)
  }
  view.put(investmentTable, changed)
}

export function addInvestmentToTotals(view: View, row: Investment, by: bigint, seq: bigint): void {
  addToTotal(view, {
    name: `investment:${row.status}`,
    count: by,
    amountMinor: by * row.principalMinor,
    profitMinor: by * row.creditedMinor,
    seq,
  })
}

export function computeDueAfter(investment: Investment, unitsDone: number): number {
  const { startedAt: startedAtMs, unit } = investment
  return computeUnitEnd({ startedAtMs, unit, units: unitsDone + 1 })
}
