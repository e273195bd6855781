import { type AdminPlan, toAmount } from '@cairn/gateway-contracts'
import { computeAnnualPercent, isLossMaking } from '@cairn/gateway-contracts/annual-rate'
import type { Plan as LedgerPlan, PlanTerms } from '@cairn/ledger-contracts'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { findPersons, toPersonField } from '../users/index.ts'
import { toPlan } from './plan.ts'

interface SourceRow {
  plan_id: string
  version: number
  text: string | null
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
  return isRateTooHigh(terms, payment)
}

/** A plan with which investors lose money has no annual rate, so no rate of it is too high. */
function isRateTooHigh(
  terms: PlanTerms,
  { annualRateWarning }: { annualRateWarning: number },
): boolean {
  return !isLossMaking(terms) && computeAnnualPercent(terms) > BigInt(annualRateWarning)
}

export async function storeSource(
  db: Database,
  source: {
    planId: string
    version: number
    text: string | null
    statedBy: string
    nowMs: number
    /** The second administrator; missing if one administrator was enough. */
    approvedBy?: string
    approvedAtMs?: number
  },
): Promise<void> {
  await db
    .insertInto('platform.plan_source')
    .values({
      plan_id: source.planId,
      version: source.version,
      text: source.text,
      stated_by: source.statedBy,
      stated_at: new Date(source.nowMs),
      approved_by: source.approvedBy ?? null,
      approved_at: source.approvedAtMs === undefined ? null : new Date(source.approvedAtMs),
    })
    // A repeated request has already inserted the row.
    .onConflict((conflict) => conflict.doNothing())
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
      annualRate: isLossMaking(plan) ? null : toAmount(annual * 100n),
      isRateWarned: isRateTooHigh(plan, payment),
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

/** Returns, for each plan, the newest source whose version is defined in the ledger. */
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
