import type { Plan as PlanAnswer, QueryResponse } from '@cairn/ledger-contracts'
import { unitOf } from '../../domain/investments/investment.ts'
import type { Plan } from '../../domain/plans/plan.ts'
import type { Database } from '../schema.ts'

const PLANS_MAX = 1_000

export async function listPlans(
  db: Database,
  { ledger, includeArchived }: { ledger: number; includeArchived: boolean },
): Promise<QueryResponse<'plans'>> {
  let query = db
    .selectFrom('plan')
    .selectAll()
    .where('ledgerId', '=', ledger)
    .orderBy('minimumMinor')
    .orderBy('planId')
    .limit(PLANS_MAX)
  if (!includeArchived) query = query.where('isArchived', '=', false)
  return { plans: (await query.execute()).map(toPlan) }
}

function toPlan({ lastSeq: _, definedAt, ...plan }: Plan & { ledgerId: number }): PlanAnswer {
  const { ledgerId: _ledger, ...terms } = plan
  return { ...terms, unit: unitOf(plan), definedAt: new Date(definedAt).toISOString() }
}
