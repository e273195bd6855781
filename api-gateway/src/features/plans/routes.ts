import {
  type AdminPlan,
  archivePlan,
  createPlan,
  editPlan,
  exportPlans,
  listAllPlans,
  listPlans,
} from '@cairn/gateway-contracts'
import { computeAnnualPercent } from '@cairn/gateway-contracts/annual-rate'
import type { Plan as LedgerPlan, PlanTerms } from '@cairn/ledger-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { createNotFoundFailure } from '../../platform/http/failure.ts'
import { createCsvRoute, toSinglePage } from '../../platform/http/list-export.ts'
import { declareRoute, type Route } from '../../platform/http/registry.ts'
import type { RequestDependencies } from '../change-requests/index.ts'
import { definePlan, getPlan, requirePlanVersion } from './change-plan.ts'
import { mergeTerms, pickTerms, toPlan } from './plan.ts'
import { getState, PLAN_COLUMNS } from './plan-columns.ts'
import { isAboveWarning, toAdminPlans } from './plan-source.ts'

type PlanDependencies = RequestDependencies & Pick<Dependencies, 'settings'>

export function createPlanRoutes(deps: PlanDependencies): readonly Route[] {
  return [
    declareRoute(listPlans, { rate: 'read', owner: 'any', audit: null }, async () => {
      const { plans } = await deps.ledger.ask('plans', { includeArchived: false })
      return { plans: plans.map(toPlan) }
    }),
    declareRoute(
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
        const text = body.sourceOfReturn ?? null
        const source = (await isAboveWarning(deps, terms)) ? { text } : null
        const definition = { planId, terms, source, reason: body.reason ?? null }
        return { plan: toPlan(await definePlan(deps, exchange, definition)) }
      },
    ),
    declareRoute(
      editPlan,
      { rate: 'write', owner: 'any', audit: 'plan.edit' },
      async ({ params, query, body }, exchange) => {
        const known = await getPlan(deps, params.id)
        requirePlanVersion(known, query.version)
        const terms = mergeTerms(pickTerms(known), body)
        const source = await findSourceToStore(deps, {
          known,
          terms,
          text: body.sourceOfReturn ?? null,
        })
        const { planId } = known
        const definition = { planId, terms, known, source, reason: body.reason ?? null }
        return { plan: toPlan(await definePlan(deps, exchange, definition)) }
      },
    ),
    createArchiveRoute(deps),
    ...createAdminRoutes(deps),
  ]
}

function createArchiveRoute(deps: PlanDependencies): Route {
  const options = { rate: 'write', owner: 'any', audit: 'plan.archive' } as const
  return declareRoute(archivePlan, options, async ({ params, query, body }, exchange) => {
    const known = await getPlan(deps, params.id, { includeArchived: true })
    requirePlanVersion(known, query.version)
    if (known.isArchived) throw createNotFoundFailure('There is no such plan')
    const { planId } = known
    const terms = { ...pickTerms(known), isArchived: true }
    const reason = body.reason ?? null
    await definePlan(deps, exchange, { planId, terms, known, source: null, reason })
    return null
  })
}

function createAdminRoutes(
  deps: Pick<Dependencies, 'db' | 'ledger' | 'settings'>,
): readonly Route[] {
  return [
    declareRoute(listAllPlans, { rate: 'read', owner: 'any', audit: null }, async () => ({
      plans: await listPlansForAdmin(deps),
    })),
    createCsvRoute({
      endpoint: exportPlans,
      fileName: 'plans.csv',
      audit: 'plan.export',
      columns: PLAN_COLUMNS,
      readPage: async ({ query: { show } }) => {
        const plans = await listPlansForAdmin(deps)
        return toSinglePage(plans.filter((plan) => show === undefined || getState(plan) === show))
      },
    }),
  ]
}

async function listPlansForAdmin(
  deps: Pick<Dependencies, 'db' | 'ledger' | 'settings'>,
): Promise<AdminPlan[]> {
  const { plans } = await deps.ledger.ask('plans', { includeArchived: true })
  return toAdminPlans(deps, plans)
}

/**
 * Returns the source of return to store with the new version; null to store no source. No source is
 * stored if the annual rate needs none, or if the rate does not rise and no new text is given.
 */
async function findSourceToStore(
  deps: Pick<Dependencies, 'settings'>,
  { known, terms, text }: { known: LedgerPlan; terms: PlanTerms; text: string | null },
): Promise<{ text: string | null } | null> {
  const isSameReturn = text === null && computeAnnualPercent(known) >= computeAnnualPercent(terms)
  return !isSameReturn && (await isAboveWarning(deps, terms)) ? { text } : null
}
