import { computeLoss, type Terms } from './payout.ts'

type Kept = Pick<Terms, 'returnPrincipal' | 'percentage'>

// The sample principal. It is so large that a loss of 0.0001 percent is one cent.
const SAMPLE_MINOR = 100_000_000n

/** Tells whether the plan pays back less than the principal. */
export function isLosing(plan: Kept): boolean {
  return computeLoss(plan, SAMPLE_MINOR) > 0n
}

/**
 * Returns the plan that the calculator shows first. It prefers a plan that returns the principal,
 * then one without a loss.
 */
export function findDefaultPlan<P extends Kept>(plans: readonly P[]): P | undefined {
  return (
    plans.find((plan) => plan.returnPrincipal) ?? plans.find((plan) => !isLosing(plan)) ?? plans[0]
  )
}
