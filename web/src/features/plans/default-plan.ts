import { lossOf, type Terms } from './payout.ts'

type Kept = Pick<Terms, 'returnPrincipal' | 'percentage'>

// Large enough that a loss of a ten-thousandth of a percent is a cent.
const SAMPLE_MINOR = 100_000_000n

/** Less comes back than is paid in. */
export function isLosing(plan: Kept): boolean {
  return lossOf(plan, SAMPLE_MINOR) > 0n
}

/** The plan that a calculator begins with. */
export function findDefaultPlan<P extends Kept>(plans: readonly P[]): P | undefined {
  return (
    plans.find((plan) => plan.returnPrincipal) ?? plans.find((plan) => !isLosing(plan)) ?? plans[0]
  )
}
