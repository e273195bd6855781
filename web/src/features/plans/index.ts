export { findDefaultPlan } from './default-plan.ts'
export { computeLoss, computePayout, findRefusal, getPlanName } from './payout.ts'
export { PlanCard, PlanGrid } from './plan-card.tsx'
export { type Plan, planQueries } from './queries.ts'
