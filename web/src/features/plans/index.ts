export { findDefaultPlan } from './default-plan.ts'
export { lossOf, payoutOf, planNameOf, refusalOf } from './payout.ts'
export { PlanCard, PlanGrid } from './plan-card.tsx'
export { type Plan, planQueries } from './queries.ts'
