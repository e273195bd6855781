import { useQuery } from '@tanstack/react-query'
import { type ComponentType, useDeferredValue } from 'react'

import { FailedState } from '../../shared/ui/failed-state.tsx'
import { LazyPart } from '../../shared/ui/lazy-part.tsx'
import { Section } from '../../shared/ui/section.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { type Plan, planQueries } from '../plans/index.ts'
import { PlanRows } from './plan-rows.tsx'

type PlansSectionProps = {
  /** The component that shows the plans. The default is `PlanRows`. */
  view?: ComponentType<{ plans: readonly Plan[] }>
}

export function PlansSection({ view: Plans = PlanRows }: PlansSectionProps) {
  const { data, isError, refetch, isFetching } = useQuery(planQueries.listPlans())
  // Rendering is deferred, so that the page responds to the user while the plans render.
  const plans = useDeferredValue(data)
  return (
    <Section
      title="Investment plans"
      text="The percentage is for the whole term. The operator’s reserve pays it; what earns it is not stated."
    >
      {isError && plans === undefined && (
        <FailedState
          message="The plans could not be loaded."
          onRetry={refetch}
          pending={isFetching}
        />
      )}
      {plans === undefined && !isError && (
        <>
          <noscript>
            <p className="text-16">The plans on offer need JavaScript.</p>
          </noscript>
          <Skeleton className="h-144 w-full rounded-card" />
        </>
      )}
      {plans?.length === 0 && (
        <>
          <p className="text-16 text-muted">
            No plans are on offer at the moment, so you cannot invest. These examples show what a
            plan looks like.
          </p>
          {/* The examples are a separate chunk, because they appear only in this case. */}
          <LazyPart
            name="examples"
            load={async () => (await import('./example-plans.tsx')).ExamplePlans}
            failed="The examples could not be loaded."
            placeholder={<Skeleton className="h-48 w-full rounded-card" />}
          />
        </>
      )}
      {plans !== undefined && plans.length > 0 && <Plans plans={plans} />}
    </Section>
  )
}
