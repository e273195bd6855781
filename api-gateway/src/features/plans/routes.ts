import {
  type AdminPlan,
  approvePlan,
  archivePlan,
  createPlan,
  editPlan,
  exportPlans,
  listAllPlans,
  listPlans,
} from '@cairn/gateway-contracts'
import type { Plan as LedgerPlan, PlanTerms } from '@cairn/ledger-contracts'
import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { notFound } from '../../platform/http/failure.ts'
import { createCsvRoute, toSinglePage } from '../../platform/http/list-export.ts'
import { callerOf, type Exchange, type Route, route } from '../../platform/http/registry.ts'
import { isDualControlRequired } from '../users/index.ts'
import { computeAnnualPercent } from './annual-rate.ts'
import { changePlan, definePlan, getPlan, requireVersion } from './change-plan.ts'
import { mergeTerms, pickTerms, toPlan } from './plan.ts'
import { PLAN_COLUMNS, stateOf } from './plan-columns.ts'
import {
  approveSource,
  findWaiting,
  isAboveWarning,
  requireWaiting,
  storeSource,
  toAdminPlans,
} from './plan-source.ts'

export function createPlanRoutes(
  deps: Pick<Dependencies, 'db' | 'ledger' | 'settings'>,
): readonly Route[] {
  return [
    route(listPlans, { rate: 'read', owner: 'any', audit: null }, async () => {
      const { plans } = await deps.ledger.ask('plans', { includeArchived: false })
      return { plans: plans.map(toPlan) }
    }),
    route(
      createPlan,
      { rate: 'write', owner: 'any', audit: 'plan.create' },
      async ({ body }, exchange) => {
        const terms: PlanTerms = {
          name: body.name,
          duration: body.planDuration,
          unit: body.timingParameter,
          minimumMinor: body.minDeposit,
          maximumMinor: body.maxDeposit,
          profitPpm: body.percentage,
          referralBonusPpm: body.referalBonus,
          returnPrincipal: body.returnPrincipal,
          isArchived: false,
        }
        const planId = exchange.subjectId
        const source = body.sourceOfReturn ?? null
        if (!(await isAboveWarning(deps, terms))) {
          return { plan: toPlan(await definePlan(deps, exchange, { planId, terms })) }
        }
        const { isArchived, write } = await writeSource(deps, exchange, { planId, source })
        // A repeated request finds its own row, and the ledger answers with the existing plan.
        await write(deps.db, 1)
        const definition = { planId, terms: { ...terms, isArchived } }
        return { plan: toPlan(await definePlan(deps, exchange, definition)) }
      },
    ),
    route(
      editPlan,
      { rate: 'write', owner: 'any', audit: 'plan.edit' },
      async ({ params, body }, exchange) => {
        const known = await getPlan(deps, params.id)
        const terms = mergeTerms(pickTerms(known), body)
        const change = { known, terms, source: body.sourceOfReturn ?? null }
        return { plan: toPlan(await reofferPlan(deps, exchange, change)) }
      },
    ),
    createArchiveRoute(deps),
    ...createAdminRoutes(deps),
  ]
}

function createArchiveRoute(deps: Pick<Dependencies, 'db' | 'ledger'>): Route {
  const options = { rate: 'write', owner: 'any', audit: 'plan.archive' } as const
  return route(archivePlan, options, async ({ params, query }, exchange) => {
    const known = await getPlan(deps, params.id, { includeArchived: true })
    requireVersion(known, query.version)
    const isWaiting = known.isArchived && (await findWaiting(deps.db, known)) !== null
    if (known.isArchived && !isWaiting) throw notFound('There is no such plan')
    // A new version ends the approval of the previous one.
    const terms = { ...pickTerms(known), isArchived: true }
    await changePlan(deps, exchange, { known, terms })
    exchange.note({ isWaiting })
    return null
  })
}

function createAdminRoutes(
  deps: Pick<Dependencies, 'db' | 'ledger' | 'settings'>,
): readonly Route[] {
  return [
    route(listAllPlans, { rate: 'read', owner: 'any', audit: null }, async () => ({
      plans: await listPlansOf(deps),
    })),
    createCsvRoute({
      endpoint: exportPlans,
      fileName: 'plans.csv',
      audit: 'plan.export',
      columns: PLAN_COLUMNS,
      readPage: async ({ query: { show } }) => {
        const plans = await listPlansOf(deps)
        return toSinglePage(plans.filter((plan) => show === undefined || stateOf(plan) === show))
      },
    }),
    route(
      approvePlan,
      { rate: 'write', owner: 'any', audit: 'plan.approve' },
      async ({ params, query }, exchange) => {
        const { userId } = callerOf(exchange)
        const plan = await getPlan(deps, params.id, { includeArchived: true })
        requireVersion(plan, query.version)
        await requireWaiting(deps.db, { plan, userId })
        const offered = await changePlan(deps, exchange, {
          known: plan,
          terms: { ...pickTerms(plan), isArchived: false },
          // Written before the plan is offered, so that no plan is on offer without an approval. It
          // is repeatable.
          write: (held) => approveSource(held, { plan, userId, nowMs: exchange.nowMs }),
        })
        return { plan: toPlan(offered) }
      },
    ),
  ]
}

async function listPlansOf(
  deps: Pick<Dependencies, 'db' | 'ledger' | 'settings'>,
): Promise<AdminPlan[]> {
  const { plans } = await deps.ledger.ask('plans', { includeArchived: true })
  return toAdminPlans(deps, plans)
}

/** A change of name or minimum does not change the return, so the source stays valid. */
async function reofferPlan(
  deps: Pick<Dependencies, 'db' | 'ledger' | 'settings'>,
  exchange: Exchange,
  { known, terms, source }: { known: LedgerPlan; terms: PlanTerms; source: string | null },
): Promise<LedgerPlan> {
  const isSameReturn = source === null && computeAnnualPercent(known) >= computeAnnualPercent(terms)
  if (isSameReturn || !(await isAboveWarning(deps, terms))) {
    return changePlan(deps, exchange, { known, terms })
  }
  const { planId } = known
  const { isArchived, write } = await writeSource(deps, exchange, { planId, source })
  return changePlan(deps, exchange, { known, terms: { ...terms, isArchived }, write })
}

/**
 * Stores the source of the return if the annual rate is above the warning. If the settings require
 * two administrators, the plan stays off the offer until the second one approves it.
 */
async function writeSource(
  deps: Pick<Dependencies, 'db' | 'ledger'>,
  exchange: Exchange,
  { planId, source: text }: { planId: string; source: string | null },
) {
  const needsApproval = await isDualControlRequired(deps)
  const { userId: statedBy } = callerOf(exchange)
  const { nowMs } = exchange
  exchange.note({ sourceOfReturn: text, needsApproval })
  return {
    isArchived: needsApproval,
    write: (db: Database, version: number) =>
      storeSource(db, { planId, version, text, needsApproval, statedBy, nowMs }),
  }
}
