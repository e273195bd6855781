import { type Plan, toAmount, toPercent } from '@cairn/gateway-contracts'
import type { Plan as LedgerPlan, PlanTerms } from '@cairn/ledger-contracts'

export function toPlan(plan: LedgerPlan): Plan {
  return {
    id: plan.planId,
    _id: plan.planId,
    name: plan.name,
    planDuration: plan.duration,
    timingParameter: plan.unit,
    minDeposit: toAmount(plan.minimumMinor),
    maxDeposit: plan.maximumMinor === null ? null : toAmount(plan.maximumMinor),
    percentage: toPercent(plan.profitPpm),
    referalBonus: toPercent(plan.referralBonusPpm),
    returnPrincipal: plan.returnPrincipal,
    version: plan.version,
    createdAt: plan.definedAt,
  }
}

/** The fields of the form. Some fields can be missing. */
export interface PlanFields {
  name?: string | null | undefined
  planDuration?: number | undefined
  timingParameter?: 'hours' | 'days' | undefined
  minDeposit?: bigint | undefined
  maxDeposit?: bigint | null | undefined
  percentage?: number | undefined
  referalBonus?: number | undefined
  returnPrincipal?: boolean | undefined
}

export function mergeTerms(known: PlanTerms, fields: PlanFields): PlanTerms {
  return {
    name: fields.name === undefined ? known.name : fields.name || null,
    duration: fields.planDuration ?? known.duration,
    unit: fields.timingParameter ?? known.unit,
    minimumMinor: fields.minDeposit ?? known.minimumMinor,
    maximumMinor: fields.maxDeposit === undefined ? known.maximumMinor : fields.maxDeposit,
    profitPpm: fields.percentage ?? known.profitPpm,
    referralBonusPpm: fields.referalBonus ?? known.referralBonusPpm,
    returnPrincipal: fields.returnPrincipal ?? known.returnPrincipal,
    isArchived: known.isArchived,
  }
}

/** Returns only the terms of a plan. */
export function pickTerms(plan: LedgerPlan): PlanTerms {
  const { planId: _planId, version: _version, definedAt: _definedAt, ...terms } = plan
  return terms
}
