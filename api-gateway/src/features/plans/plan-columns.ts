import type { AdminPlan } from '@cairn/gateway-contracts'
import type { Columns } from '../../platform/http/list-export.ts'

export const PLAN_COLUMNS: Columns<AdminPlan> = {
  Name: ({ name }) => name,
  Duration: ({ planDuration }) => planDuration,
  Unit: ({ timingParameter }) => timingParameter,
  Minimum: ({ minDeposit }) => minDeposit.toFixed(2),
  Maximum: ({ maxDeposit }) => maxDeposit?.toFixed(2) ?? null,
  'Profit %': ({ percentage }) => percentage,
  'Annual rate %': ({ annualRate }) => annualRate,
  'Referral bonus %': ({ referalBonus }) => referalBonus,
  'Principal returns': ({ returnPrincipal }) => returnPrincipal,
  Archived: ({ isArchived }) => isArchived,
  Version: ({ version }) => version,
  'Source of the return': ({ source }) => source?.text ?? null,
  'Source stated by': ({ source }) => source?.statedBy?.name ?? null,
  'Approved by': ({ source }) => source?.approvedBy?.name ?? null,
  Defined: ({ createdAt }) => createdAt,
}

/** Returns the state by which lists of plans can be filtered. */
export function getState({ isArchived }: AdminPlan): 'offered' | 'archived' {
  return isArchived ? 'archived' : 'offered'
}
