import { useQuery } from '@tanstack/react-query'
import { BadgeCheck, FlaskConical, Info, type LucideIcon, Quote } from 'lucide-react'
import { useDeferredValue } from 'react'

import { FailedState } from '../../shared/ui/failed-state.tsx'
import { Section } from '../../shared/ui/section.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { UtcMoment } from '../../shared/ui/utc-moment.tsx'
import { type Claim, publicClaimQueries } from '../claims/index.ts'
import { useIsDemo } from './is-demo.ts'

const STATES: Record<Claim['state'], { icon: LucideIcon; words: string }> = {
  proved: { icon: BadgeCheck, words: 'Measured here' },
  stated: { icon: Quote, words: 'Stated by the operator' },
  withheld: { icon: Info, words: 'General information' },
}
/** The figures of a demo prove nothing about a real operator, so no claim is called measured. */
const DEMO_STATE = { icon: FlaskConical, words: 'Demo evidence' } as const
const PLACES = [0, 1, 2, 3, 4, 5]

/** Shows the claims and the evidence that the server returns. */
export function WhyUs() {
  const { data, isError, refetch, isFetching } = useQuery(publicClaimQueries.list())
  // Rendering is deferred, because several responses arrive together and rendering all of them
  // would block input.
  const claims = useDeferredValue(data)
  return (
    <Section
      title="Why invest with us"
      text="Each claim is shown with its evidence. A claim without evidence is not shown."
    >
      {isError && claims === undefined && (
        <FailedState
          message="This information could not be loaded."
          onRetry={refetch}
          pending={isFetching}
        />
      )}
      <ul className="grid gap-x-10 gap-y-8 sm:grid-cols-2 md:grid-cols-3 md:gap-x-8 lg:gap-x-10 sm:max-md:[&>:nth-child(odd):last-child]:col-span-2">
        {claims === undefined && !isError
          ? PLACES.map((place) => (
              <li key={place}>
                <Skeleton className="h-44 w-full rounded-card" />
              </li>
            ))
          : claims?.filter(hasNewText).map((claim) => <ClaimCard key={claim.key} claim={claim} />)}
      </ul>
    </Section>
  )
}

/** Tells whether a claim has a text that no earlier claim has. */
function hasNewText({ text }: Claim, place: number, claims: readonly Claim[]): boolean {
  return text !== '' && claims.findIndex((other) => other.text === text) === place
}

function ClaimCard({ claim }: { claim: Claim }) {
  const isDemo = useIsDemo()
  const isDemoEvidence = isDemo && claim.state === 'proved'
  const { icon: Icon, words } = isDemoEvidence ? DEMO_STATE : STATES[claim.state]
  return (
    <li className="grid content-start gap-2 border-line border-t pt-5">
      <span className="flex items-center justify-between gap-3">
        <Icon aria-hidden="true" className="size-5 text-accent" />
        <span
          className={
            isDemoEvidence
              ? 'rounded-full bg-info-soft px-2.5 py-0.5 font-medium text-12 text-info'
              : 'py-0.5 text-12 text-muted'
          }
        >
          {words}
        </span>
      </span>
      <h3 className="font-semibold text-16">{claim.text}</h3>
      {claim.evidence.length > 0 && (
        <dl className="grid gap-1 text-14">
          {claim.evidence.map(({ label, value, link, isLimit }) => (
            // Limits of a claim have the size of the claim, so that both are read together.
            <div key={label} className={isLimit ? 'font-semibold text-16' : ''}>
              <dt className="inline text-muted">{label}: </dt>
              <dd className="inline">
                {link === null ? (
                  value
                ) : (
                  <a href={link} rel="noreferrer" className="text-accent underline">
                    {value}
                  </a>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <details className="text-14 text-muted">
        <summary className="w-fit py-1 font-medium text-accent underline underline-offset-4">
          How we know<span className="sr-only">: {claim.text}</span>
        </summary>
        <p className="pt-2">
          {claim.state === 'withheld' && `“${claim.wording}” requires: `}
          {claim.rule}
        </p>
        <p className="pt-1 text-12">
          As of <UtcMoment at={claim.asOf} />
        </p>
      </details>
    </li>
  )
}
