import { archivePlan, createPlan, editPlan, listPlans } from '@cairn/gateway-contracts'
import type { Plan as LedgerPlan, PlanTerms, Refused } from '@cairn/ledger-contracts'
import type { Dependencies } from '../dependencies.ts'
import { invalidField, notFound } from '../http/failure.ts'
import { callerOf, type Exchange, type Route, route } from '../http/registry.ts'
import { submit } from '../ledger/refusal.ts'
import { mergeTerms, termsOf, toPlan } from './plan.ts'

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
        return { plan: toPlan(await definePlan(deps, exchange, exchange.subjectId, terms)) }
      },
    ),
    route(
      editPlan,
      { rate: 'write', owner: 'any', audit: 'plan.edit' },
      async ({ params, body }, exchange) => {
        const known = await getPlan(deps, params.id)
        const terms = mergeTerms(termsOf(known), body)
        return { plan: toPlan(await definePlan(deps, exchange, known.planId, terms)) }
      },
    ),
    route(
      archivePlan,
      { rate: 'write', owner: 'any', audit: 'plan.archive' },
      async ({ params }, exchange) => {
        const known = await getPlan(deps, params.id)
        const terms = { ...termsOf(known), isArchived: true }
        await definePlan(deps, exchange, known.planId, terms)
        return null
      },
    ),
  ]
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

async function getPlan(deps: Dependencies, planId: string): Promise<LedgerPlan> {
  const { plans } = await deps.ledger.ask('plans', { includeArchived: false })
  const plan = plans.find((item) => item.planId === planId)
  if (plan === undefined) throw notFound('There is no such plan')
  return plan
}

function wordPlanRefusal({ code, message, details }: Refused) {
  return code === 'PLAN_INVALID' ? invalidField(details.field ?? 'plan', message) : null
}
