import { type AdminPlan, toAmount } from '@cairn/gateway-contracts'
import type { Plan as LedgerPlan, PlanTerms } from '@cairn/ledger-contracts'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { findPersons, toPersonField } from '../users/index.ts'
import { computeAnnualPercent, isLosing } from './annual-rate.ts'
import { toPlan } from './plan.ts'

interface SourceRow {
  plan_id: string
  version: number
  text: string | null
  needs_approval: boolean
  stated_by: string
  stated_at: Date
  approved_by: string | null
  approved_at: Date | null
}

export async function isAboveWarning(
  { settings }: Pick<Dependencies, 'settings'>,
  terms: PlanTerms,
): Promise<boolean> {
  const { payment } = await settings.read()
  return computeAnnualPercent(terms) > BigInt(payment.annualRateWarning)
}

export async function storeSource(
  db: Database,
  source: {
    planId: string
    version: number
    text: string | null
    needsApproval: boolean
    statedBy: string
    nowMs: number
  },
): Promise<void> {
  await db
    .insertInto('platform.plan_source')
    .values({
      plan_id: source.planId,
      version: source.version,
      text: source.text,
      needs_approval: source.needsApproval,
      stated_by: source.statedBy,
      stated_at: new Date(source.nowMs),
      approved_by: null,
      approved_at: null,
    })
    // A repeated request finds its own row.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The source of a plan that waits for approval, otherwise null. */
export async function findWaiting(db: Database, plan: LedgerPlan): Promise<SourceRow | null> {
  const row = (await findLatestSources(db, [plan])).get(plan.planId)
  return row !== undefined && isWaiting(row, plan) ? row : null
}

/** The source that waits for approval; refused for the administrator who wrote it. */
export async function requireWaiting(
  db: Database,
  { plan, userId }: { plan: LedgerPlan; userId: string },
): Promise<void> {
  const waiting = await findWaiting(db, plan)
  if (waiting === null) {
    throw new HttpFailure(409, 'NOT_WAITING', 'This plan does not wait for an approval')
  }
  if (waiting.stated_by !== userId) return
  const message = 'Another administrator must approve this plan'
  throw new HttpFailure(409, 'SECOND_APPROVER_NEEDED', message)
}

export async function approveSource(
  db: Database,
  { plan, userId, nowMs }: { plan: LedgerPlan; userId: string; nowMs: number },
): Promise<void> {
  await db
    .updateTable('platform.plan_source')
    .set({ approved_by: userId, approved_at: new Date(nowMs) })
    .where('plan_id', '=', plan.planId)
    .where('version', '=', plan.version)
    .where('approved_by', 'is', null)
    .execute()
}

export async function toAdminPlans(
  deps: Pick<Dependencies, 'db' | 'settings'>,
  plans: readonly LedgerPlan[],
): Promise<AdminPlan[]> {
  const sources = await findLatestSources(deps.db, plans)
  const people = [...sources.values()].flatMap(({ stated_by, approved_by }) => [
    stated_by,
    ...(approved_by === null ? [] : [approved_by]),
  ])
  const [persons, { payment }] = await Promise.all([
    findPersons(deps.db, people),
    deps.settings.read(),
  ])
  return plans.map((plan) => {
    const row = sources.get(plan.planId)
    const annual = computeAnnualPercent(plan)
    return {
      ...toPlan(plan),
      isArchived: plan.isArchived,
      isWaiting: row !== undefined && isWaiting(row, plan),
      annualRate: isLosing(plan) ? null : toAmount(annual * 100n),
      isRateWarned: annual > BigInt(payment.annualRateWarning),
      source:
        row === undefined
          ? null
          : {
              text: row.text,
              statedAt: row.stated_at.toISOString(),
              approvedAt: row.approved_at?.toISOString() ?? null,
              ...toPersonField('statedBy', persons.get(row.stated_by)),
              ...toPersonField('approvedBy', persons.get(row.approved_by ?? '')),
            },
    }
  })
}

/** True if the plan was withdrawn from sale without another change of its terms. An approval would change the terms. */
function isWaiting(row: SourceRow, plan: LedgerPlan): boolean {
  return row.version === plan.version && plan.isArchived && row.needs_approval
}

/** Deletes sources of versions that were never defined because the gateway stopped in between. */
export async function deleteDrafts(held: Database, plan: LedgerPlan): Promise<void> {
  await held
    .deleteFrom('platform.plan_source')
    .where('plan_id', '=', plan.planId)
    .where('version', '>', plan.version)
    .execute()
}

/** The newest source of each plan among the defined versions. */
async function findLatestSources(
  db: Database,
  plans: readonly LedgerPlan[],
): Promise<ReadonlyMap<string, SourceRow>> {
  const { rows } = await sql<SourceRow>`
    select distinct on (s.plan_id) s.*
    from platform.plan_source s
    join unnest(${plans.map(({ planId }) => planId)}::text[],
      ${plans.map(({ version }) => version)}::int[]) as p (plan_id, version)
      on s.plan_id = p.plan_id and s.version <= p.version
    order by s.plan_id, s.version desc
  `.execute(db)
  return new Map(rows.map((row) => [row.plan_id, row]))
}
