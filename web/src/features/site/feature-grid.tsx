import { useQuery } from '@tanstack/react-query'
import type { LucideIcon } from 'lucide-react'
import { useDeferredValue } from 'react'

import { FailedState } from '../../shared/ui/failed-state.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { type Claim, publicClaimQueries } from '../claims/index.ts'

export type Feature = {
  icon: LucideIcon
  title: string
  text: string
  more?: string
  /** A claim that replaces `text` if it may be shown. */
  claim?: Claim['key']
}

/** Lists features. Each can expand to show its details below its text. */
export function FeatureGrid({ features }: { features: readonly Feature[] }) {
  return (
    <ul className="grid gap-x-10 gap-y-8 sm:grid-cols-2 md:grid-cols-3 md:gap-x-8 lg:gap-x-10 sm:max-md:[&>:nth-child(odd):last-child]:col-span-2">
      {features.map(({ icon: Icon, title, text, more, claim }) => (
        <li key={title} className="grid content-start gap-2 border-line border-t pt-5">
          <Icon aria-hidden="true" className="size-5 text-accent" />
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

/** Shows a claim with its evidence, or `otherwise` if the claim may not be shown. */
function ClaimText({ claim, otherwise }: { claim: Claim['key']; otherwise: string }) {
  const { data, isError, refetch, isFetching } = useQuery(publicClaimQueries.list())
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
  if (claims === undefined) return <Skeleton className="h-15 w-full" />
  const found = claims.find(({ key }) => key === claim)
  if (found === undefined || found.state === 'withheld') return <Text text={otherwise} />
  const evidence = found.evidence.map(({ label, value }) => ` ${label}: ${value}.`)
  return <Text text={`${found.text}.${evidence.join('')}`} />
}
