import { useQuery } from '@tanstack/react-query'
import type { LucideIcon } from 'lucide-react'

import { type Claim, siteQueries } from '../claims/site-queries.ts'

export type Feature = {
  icon: LucideIcon
  title: string
  text: string
  more?: string
  /** The claim that, once it may be made, takes the place of the text. */
  claim?: Claim['key']
}

/** What a block has more to say unfolds in place. */
export function FeatureGrid({ features }: { features: readonly Feature[] }) {
  return (
    <ul className="grid gap-x-10 gap-y-8 sm:grid-cols-2 lg:grid-cols-3">
      {features.map(({ icon: Icon, title, text, more, claim }) => (
        <li key={title} className="grid content-start gap-2 border-line border-t pt-5">
          <Icon aria-hidden="true" className="size-5 text-accent" />
          <h3 className="font-semibold text-16">{title}</h3>
          <p className="text-14 text-muted">
            {claim === undefined ? text : <Claimed claim={claim} otherwise={text} />}
          </p>
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

/** With its evidence, never without: what the operator has not shown is not said here either. */
function Claimed({ claim, otherwise }: { claim: Claim['key']; otherwise: string }) {
  const found = useQuery(siteQueries.claims()).data?.find(({ key }) => key === claim)
  if (found === undefined || found.state === 'withheld') return otherwise
  const evidence = found.evidence.map(({ label, value }) => ` ${label}: ${value}.`)
  return `${found.text}.${evidence.join('')}`
}
