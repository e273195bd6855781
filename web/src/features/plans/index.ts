export {
  computeLoss,
  computePayout,
  findRefusal,
  formatLimits,
  formatTerm,
  getPlanName,
} from './payout.ts'
export { PlanCard, PlanGrid } from './plan-card.tsx'
export { type Plan, planQueries } from './queries.ts'
