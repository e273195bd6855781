import type { Plan } from '../plans/index.ts'
import { PlanComparison } from './plan-comparison.tsx'
import { PlanRows } from './plan-rows.tsx'

/** Shows what each plan pays for a typed amount, and then all terms of the plans. */
export function PlanTerms({ plans }: { plans: readonly Plan[] }) {
  return (
    <>
      <PlanRows plans={plans} />
      <h3 className="font-semibold text-20">All terms</h3>
      <PlanComparison plans={plans} />
    </>
  )
}
