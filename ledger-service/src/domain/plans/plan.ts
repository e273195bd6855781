import { type Id, PlanTerms } from '@cairn/ledger-contracts'
import { type Refusal, refuse } from '../../log/model.ts'
import { createStateTable, type RowOf } from '../../log/table.ts'
import type { Need, View } from '../../log/view.ts'
import { type Decider, type Evolve, record } from '../decider.ts'

export const planTable = createStateTable('plan', 'planId', {
  planId: 'text',
  version: 'int4',
  name: 'text?',
  duration: 'int4',
  unit: PlanTerms.shape.unit.options,
  minimumMinor: 'int8',
  maximumMinor: 'int8?',
  profitPpm: 'int4',
  referralBonusPpm: 'int4',
  returnPrincipal: 'bool',
  isArchived: 'bool',
  definedAt: 'timestamptz',
  lastSeq: 'int8',
})
export type Plan = RowOf<typeof planTable>

export function createPlanNeed(planId: Id): Need {
  return { table: planTable, key: planId }
}

/** Returns the plan if it is open and, unless `seen` is null, its version equals `seen`. */
export function findOpenPlan(
  view: View,
  { planId, seen }: { planId: Id; seen: number | null },
): Plan | { refusal: Refusal } {
  const plan = view.find(planTable, planId)
  if (plan === null) return refuse('planUnknown')
  if (plan.isArchived) return refuse('planClosed')
  if (seen !== null && seen !== plan.version) {
    return refuse('termsChanged')
  }
  return plan
}

export const definePlan: Decider<'DefinePlan'> = {
  needs: ({ planId }) => [createPlanNeed(planId)],
  decide: ({ planId, terms, seen }, view, context) => {
    if (terms.maximumMinor !== null && terms.maximumMinor < terms.minimumMinor) {
      return refuse('planInvalid', { field: 'maxDeposit' })
    }
    const known = view.find(planTable, planId)?.version ?? 0
    if (seen !== undefined && seen !== known) return refuse('termsChanged')
    return record({ type: 'PlanDefined', data: { planId, version: known + 1, terms } }, context)
  },
}

export const applyPlanDefined: Evolve<'PlanDefined'> = (
  { planId, version, terms },
  view,
  event,
) => {
  view.put(planTable, {
    planId,
    version,
    ...(terms satisfies PlanTerms),
    definedAt: event.effectiveAtMs,
    lastSeq: event.seq,
  })
}
