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
import type { Plan as LedgerPlan, PlanTerms, Refused } from '@cairn/ledger-contracts'
import type { Dependencies } from '../dependencies.ts'
import { invalidField, notFound } from '../http/failure.ts'
import { csvRoute, whole } from '../http/list-export.ts'
import { callerOf, type Exchange, type Route, route } from '../http/registry.ts'
import { submit } from '../ledger/submit.ts'
import { annualPercent } from './annual-rate.ts'
import { mergeTerms, termsOf, toPlan } from './plan.ts'
import { PLAN_COLUMNS, stateOf } from './plan-columns.ts'
import {
  approveSource,
  findWaiting,
  isAboveWarning,
  isSecondAdminBinding,
  requireWaiting,
  stateSource,
  toAdminPlans,
} from './plan-source.ts'

const noSuchPlan = () => notFound('There is no such plan')

export function planRoutes(deps: Dependencies): readonly Route[] {
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
        const wanted = { planId, terms, known: null, source: body.sourceOfReturn ?? null }
        return { plan: toPlan(await offerPlan(deps, exchange, wanted)) }
      },
    ),
    route(
      editPlan,
      { rate: 'write', owner: 'any', audit: 'plan.edit' },
      async ({ params, body }, exchange) => {
        const known = await getPlan(deps, params.id)
        const terms = mergeTerms(termsOf(known), body)
        const wanted = { planId: known.planId, terms, known, source: body.sourceOfReturn ?? null }
        return { plan: toPlan(await offerPlan(deps, exchange, wanted)) }
      },
    ),
    archiveRoute(deps),
    ...adminRoutes(deps),
  ]
}

function archiveRoute(deps: Dependencies): Route {
  const options = { rate: 'write', owner: 'any', audit: 'plan.archive' } as const
  return route(archivePlan, options, async ({ params }, exchange) => {
    const known = await getPlan(deps, params.id, { includeArchived: true })
    const isWaiting = known.isArchived && (await findWaiting(deps.db, known)) !== null
    if (known.isArchived && !isWaiting) throw noSuchPlan()
    // A new version: what was written for the one before can be approved no more.
    const terms = { ...termsOf(known), isArchived: true }
    await definePlan(deps, exchange, known.planId, terms)
    exchange.note({ isWaiting })
    return null
  })
}

function adminRoutes(deps: Dependencies): readonly Route[] {
  return [
    route(listAllPlans, { rate: 'read', owner: 'any', audit: null }, async () => ({
      plans: await listPlansOf(deps),
    })),
    csvRoute({
      ...{ endpoint: exportPlans, fileName: 'plans.csv', audit: 'plan.export' },
      columns: PLAN_COLUMNS,
      readPage: async ({ query: { show } }) => {
        const plans = await listPlansOf(deps)
        return whole(plans.filter((plan) => show === undefined || stateOf(plan) === show))
      },
    }),
    route(
      approvePlan,
      { rate: 'write', owner: 'any', audit: 'plan.approve' },
      async ({ params }, exchange) => {
        const { userId } = callerOf(exchange)
        const plan = await getPlan(deps, params.id, { includeArchived: true })
        await requireWaiting(deps.db, { plan, userId })
        const terms = { ...termsOf(plan), isArchived: false }
        const offered = await definePlan(deps, exchange, plan.planId, terms)
        await approveSource(deps.db, { plan, userId, nowMs: exchange.nowMs })
        return { plan: toPlan(offered) }
      },
    ),
  ]
}

async function listPlansOf(deps: Dependencies): Promise<AdminPlan[]> {
  const { plans } = await deps.ledger.ask('plans', { includeArchived: true })
  return toAdminPlans(deps, plans)
}

/**
 * Above the annual rate that the settings warn of, the source of the return is kept with the terms;
 * where two administrators decide, the plan is off the offer until the second one approves it.
 */
async function offerPlan(
  deps: Dependencies,
  exchange: Exchange,
  wanted: { planId: string; terms: PlanTerms; known: PlanTerms | null; source: string | null },
): Promise<LedgerPlan> {
  const { planId, terms, known, source } = wanted
  // Another name or another minimum is no other return.
  const isSameReturn =
    known !== null && source === null && annualPercent(known) >= annualPercent(terms)
  if (isSameReturn || !(await isAboveWarning(deps, terms))) {
    return definePlan(deps, exchange, planId, terms)
  }
  const needsApproval = await isSecondAdminBinding(deps)
  const defined = await definePlan(deps, exchange, planId, { ...terms, isArchived: needsApproval })
  const { userId: statedBy } = callerOf(exchange)
  const { version } = defined
  const { nowMs } = exchange
  await stateSource(deps.db, { planId, version, text: source, needsApproval, statedBy, nowMs })
  exchange.note({ sourceOfReturn: source, needsApproval })
  return defined
}

async function definePlan(
  deps: Dependencies,
  exchange: Exchange,
  planId: string,
  terms: PlanTerms,
): Promise<LedgerPlan> {
  const { event } = await submit(
    deps.ledger,
    {
      type: 'DefinePlan',
      data: { planId, terms },
      actor: `admin:${callerOf(exchange).userId}`,
      key: exchange.key,
      requestId: exchange.requestId,
      effectiveAt: null,
    },
    wordPlanRefusal,
  )
  exchange.note({ subject: planId, ...terms })
  const version = Number(event.data.version)
  return { ...terms, planId, version, definedAt: event.effectiveAt }
}

async function getPlan(
  deps: Dependencies,
  planId: string,
  { includeArchived } = { includeArchived: false },
): Promise<LedgerPlan> {
  const { plans } = await deps.ledger.ask('plans', { includeArchived })
  const plan = plans.find((item) => item.planId === planId)
  if (plan === undefined) throw noSuchPlan()
  return plan
}

function wordPlanRefusal({ code, message, details }: Refused) {
  return code === 'PLAN_INVALID' ? invalidField(details.field ?? 'plan', message) : null
}
