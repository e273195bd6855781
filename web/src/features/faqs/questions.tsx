import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'

import { FailedState } from '../../shared/ui/failed-state.tsx'
import { Section } from '../../shared/ui/section.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { publicFaqQueries } from './public-queries.ts'

export function Questions() {
  const { data, isError, refetch, isFetching } = useQuery(publicFaqQueries.list())
  // Rendering is deferred, because several responses arrive together and rendering all of them
  // would block input.
  const faqs = useDeferredValue(data)
  return (
    <Section title="Questions and answers">
      {isError && faqs === undefined && (
        <FailedState
          message="The questions could not be loaded."
          onRetry={refetch}
          pending={isFetching}
        />
      )}
      {faqs === undefined && !isError && (
        <Skeleton className="h-44 w-full max-w-3xl rounded-card" />
      )}
      {faqs?.length === 0 && <p className="text-16 text-muted">There are no questions yet.</p>}
      {faqs !== undefined && faqs.length > 0 && (
        <div className="max-w-3xl divide-y divide-line border-line border-y">
          {faqs.map(({ id, question, answer }) => (
            <details key={id} className="group wrap-anywhere py-4">
              <summary className="font-semibold text-16 marker:text-accent">{question}</summary>
              <p className="whitespace-pre-line pt-3 text-16 text-muted">{answer}</p>
            </details>
          ))}
        </div>
      )}
    </Section>
  )
}
