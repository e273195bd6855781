import type { Plan as PlanAnswer, QueryResponse } from '@cairn/ledger-contracts'
import { type Plan, planTable } from '../../domain/plans/plan.ts'
import { checkRow } from '../../log/table.ts'
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

function toPlan(row: Plan & { ledgerId: number }): PlanAnswer {
  const { lastSeq: _, ledgerId: _ledger, definedAt, ...plan } = checkRow(planTable, row)
  return { ...plan, definedAt: new Date(definedAt).toISOString() }
}
