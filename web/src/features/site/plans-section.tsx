import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useDeferredValue } from 'react'

import { ButtonLink } from '../../shared/ui/button.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { Section } from '../../shared/ui/section.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { PlanCard, PlanGrid, planQueries } from '../plans/index.ts'

// The calculator is a separate chunk, because it is below the first screen and needs the plans.
const PayoutCalculator = lazy(async () => ({
  default: (await import('./payout-calculator.tsx')).PayoutCalculator,
}))

// The examples are a separate chunk, because they appear only while no plan is on offer.
const ExamplePlans = lazy(async () => ({
  default: (await import('./example-plans.tsx')).ExamplePlans,
}))

const PLACES = [0, 1, 2]

export function PlansSection() {
  const { data, isError, refetch, isFetching } = useQuery(planQueries.list())
  // Rendering is deferred, so that the page responds to the user while the plans render.
  const plans = useDeferredValue(data)
  return (
    <Section
      title="Investment plans"
      text="The percentage is the profit of the whole term, not per day."
      sunken
    >
      {isError && plans === undefined && (
        <FailedState
          message="The plans could not be loaded."
          onRetry={refetch}
          pending={isFetching}
        />
      )}
      {plans === undefined && !isError && (
        <PlanGrid>
          {PLACES.map((place) => (
            <Skeleton key={place} className="h-72 w-full rounded-card" />
          ))}
        </PlanGrid>
      )}
      {plans?.length === 0 && (
        <div className="grid gap-6">
          <p className="text-16 text-muted">
            No plans are on offer at the moment, so you cannot invest. These examples show what a
            plan looks like.
          </p>
          <Suspense fallback={<Skeleton className="h-48 w-full rounded-card" />}>
            <ExamplePlans />
          </Suspense>
        </div>
      )}
      {plans !== undefined && plans.length > 0 && (
        <>
          <PlanGrid>
            {plans.map((plan) => (
              <PlanCard
                key={plan.id}
                plan={plan}
                action={
                  <>
                    <p className="text-12 text-muted">You can lose all the money you invest.</p>
                    <ButtonLink to="/users/register" wide>
                      Invest Now
                    </ButtonLink>
                  </>
                }
              />
            ))}
          </PlanGrid>
          <Suspense fallback={<Skeleton className="h-80 w-full rounded-card lg:h-40" />}>
            <PayoutCalculator plans={plans} />
          </Suspense>
        </>
      )}
    </Section>
  )
}
