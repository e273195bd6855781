import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'

import { FailedState } from '../../shared/ui/failed-state.tsx'
import { joinClasses } from '../../shared/ui/join-classes.ts'
import { Section } from '../../shared/ui/section.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { publicFaqQueries } from './public-queries.ts'

type QuestionsProps = {
  /** True to show no link to the contact page. */
  isOnContactPage?: boolean
  /** True if the questions are the first section of the page. */
  isFirst?: boolean
}

/** Shows all questions with their answers. */
export function Questions({ isOnContactPage = false, isFirst = false }: QuestionsProps) {
  const { data, isError, refetch, isFetching } = useQuery(publicFaqQueries.listFaqs())
  // The rendering has a low priority, because several responses arrive together and rendering all
  // of them at once would block input.
  const faqs = useDeferredValue(data)
  const isLoading = faqs === undefined && !isError
  return (
    <Section
      split
      title="Questions and answers"
      text={
        isOnContactPage ? undefined : (
          <>
            Is your question missing? <TextLink to="/contact_us">Contact us</TextLink>
          </>
        )
      }
    >
      <div
        className={joinClasses(
          'grid content-start',
          isFirst && isLoading && 'first-section-loading',
        )}
      >
        {isError && faqs === undefined && (
          <FailedState
            message="The questions could not be loaded."
            onRetry={refetch}
            pending={isFetching}
          />
        )}
        {isLoading && (
          <>
            <noscript>
              <p className="pb-4 text-16">The questions need JavaScript.</p>
            </noscript>
            <Skeleton
              className={joinClasses(
                'w-full rounded-card',
                isFirst ? 'h-[calc(100dvh-20rem)] min-h-96' : 'h-96',
              )}
            />
          </>
        )}
        {faqs?.length === 0 && <p className="text-16 text-muted">There are no questions yet.</p>}
        {faqs !== undefined && faqs.length > 0 && (
          <dl className="divide-y divide-line border-line border-y">
            {faqs.map(({ id, question, answer }) => (
              <div key={id} className="wrap-anywhere grid gap-2 py-5">
                <dt className="font-semibold text-16">{question}</dt>
                <dd className="max-w-[64ch] whitespace-pre-line text-16 text-muted">{answer}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </Section>
  )
}
