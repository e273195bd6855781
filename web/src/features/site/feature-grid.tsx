import { useQuery } from '@tanstack/react-query'
import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useDeferredValue } from 'react'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { joinClasses } from '../../shared/ui/join-classes.ts'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { type Claim, publicClaimQueries } from '../claims/index.ts'

export type Feature = {
  icon: LucideIcon
  title: string
  text: string
  more?: string
  /** A claim that replaces `text` if the site can state the claim. */
  claim?: Claim['key']
  /** A short label above the title. For example, it says whether the feature is offered. */
  chip?: ReactNode
}

type FeatureGridProps = {
  features: readonly Feature[]
  columns?: 2 | 3
}

/** Lists features. Each feature can expand to show its details below its text. */
export function FeatureGrid({ features, columns = 3 }: FeatureGridProps) {
  return (
    <ul
      className={joinClasses(
        'grid gap-4 sm:grid-cols-2',
        columns === 3 && 'lg:grid-cols-3 sm:max-lg:[&>:nth-child(odd):last-child]:col-span-2',
      )}
    >
      {features.map(({ icon: Icon, title, text, more, claim, chip }) => (
        <li
          key={title}
          className="grid content-start gap-2 rounded-card border border-line bg-surface p-5"
        >
          <span className="flex min-h-6 items-center justify-between gap-3">
            <Icon aria-hidden="true" className="size-5 text-accent" />
            {chip}
          </span>
          <h3 className="font-semibold text-16">{title}</h3>
          {claim === undefined ? (
            <Text text={text} />
          ) : (
            <ClaimText claim={claim} otherwise={text} />
          )}
          {more !== undefined && (
            <details className="group text-14 text-muted">
              <summary className="w-fit py-1 font-medium text-accent underline underline-offset-4">
                Read More<span className="sr-only"> about {title}</span>
              </summary>
              <p className="pt-2">{more}</p>
            </details>
          )}
        </li>
      ))}
    </ul>
  )
}

function Text({ text }: { text: string }) {
  return <p className="text-14 text-muted">{text}</p>
}

/** Shows a claim with its evidence. Shows `otherwise` if the claim is withheld. */
function ClaimText({ claim, otherwise }: { claim: Claim['key']; otherwise: string }) {
  const { data, isError, refetch, isFetching } = useQuery(publicClaimQueries.listClaims())
  // Rendering is deferred, because several responses arrive together and rendering all of them
  // would block input.
  const claims = useDeferredValue(data)
  if (claims === undefined && isError) {
    return (
      <FailedState
        message="This information could not be loaded."
        onRetry={refetch}
        pending={isFetching}
      />
    )
  }
  if (claims === undefined) {
    // Most claims are withheld. The placeholder has the height of this text in each width, but does
    // not contain it, because nothing may be stated before the answer.
    return (
      <div
        aria-hidden="true"
        data-text={otherwise}
        className="relative max-w-[68ch] text-14 before:invisible before:content-[attr(data-text)]"
      >
        <Skeleton className="absolute inset-0" />
      </div>
    )
  }
  const found = claims.find(({ key }) => key === claim)
  if (found === undefined || found.state === 'withheld') return <Text text={otherwise} />
  const evidence = found.evidence.map(({ label, value }) => ` ${label}: ${value}.`)
  return <Text text={`${found.text}.${evidence.join('')}`} />
}
