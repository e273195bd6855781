import type { AdminPlan } from './admin-queries.ts'

/** The values of the editor, as the user types them. */
export type PlanValues = {
  name: string
  planDuration: string
  timingParameter: 'hours' | 'days'
  minDeposit: string
  maxDeposit: string
  percentage: string
  referalBonus: string
  returnPrincipal: boolean
  sourceOfReturn: string
}

export function toPlanValues(plan: AdminPlan | null): PlanValues {
  return {
    name: plan?.name ?? '',
    planDuration: String(plan?.planDuration ?? ''),
    timingParameter: plan?.timingParameter ?? 'days',
    minDeposit: String(plan?.minDeposit ?? ''),
    maxDeposit: String(plan?.maxDeposit ?? ''),
    percentage: String(plan?.percentage ?? ''),
    referalBonus: String(plan?.referalBonus ?? ''),
    returnPrincipal: plan?.returnPrincipal ?? true,
    sourceOfReturn: plan?.source?.text ?? '',
  }
}
