import { useQuery } from '@tanstack/react-query'
import { BadgeCheck, FlaskConical, type LucideIcon, Quote } from 'lucide-react'
import { useDeferredValue } from 'react'

import { FailedState } from '../../shared/ui/failed-state.tsx'
import { joinClasses } from '../../shared/ui/join-classes.ts'
import { Section } from '../../shared/ui/section.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { UtcMoment } from '../../shared/ui/utc-moment.tsx'
import { type Claim, publicClaimQueries } from '../claims/index.ts'
import { coverageQueries } from '../reserve/index.ts'
import { useIsDemo } from '../settings/index.ts'
import { findFigure } from './claim-figure.ts'
import { NotClaimed } from './not-claimed.tsx'
import { insertCoverage } from './reserve-evidence.ts'

type Shown = Claim & { state: 'proved' | 'stated' }

/** The page Claims of the admin area uses the same words. */
const STATES: Record<Shown['state'], { icon: LucideIcon; words: string }> = {
  proved: { icon: BadgeCheck, words: 'Measured here' },
  stated: { icon: Quote, words: 'Stated by the operator' },
}
/**
 * The figures of a demo prove nothing about a real operator. A demo therefore marks each claim as
 * demo evidence, never as measured.
 */
const DEMO_STATE = { icon: FlaskConical, words: 'Demo evidence' } as const

/** Shows the claims with the evidence that the server returns, and the claims without evidence. */
export function WhyUs() {
  const { data, isError, refetch, isFetching } = useQuery(publicClaimQueries.listClaims())
  // Rendering is deferred, because several responses arrive together and rendering all of them
  // would block input.
  const loaded = useDeferredValue(data)
  const coverage = useQuery(coverageQueries.now())
  const isCoverageKnown = useDeferredValue(!coverage.isPending)
  const claims =
    loaded !== undefined && isCoverageKnown ? insertCoverage(loaded, coverage.data) : undefined
  return (
    <Section
      title="Why invest with us"
      text="Each claim is shown with its evidence. A claim without evidence is not made."
    >
      {claims !== undefined ? (
        <>
          <ul className="grid gap-4 [grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr))]">
            {claims.filter(isShown).map((claim) => (
              <ClaimCard key={claim.key} claim={claim} />
            ))}
          </ul>
          <div id="not-claimed">
            <NotClaimed claims={claims} />
          </div>
        </>
      ) : isError ? (
        <FailedState
          message="This information could not be loaded."
          onRetry={refetch}
          pending={isFetching}
        />
      ) : (
        <>
          <noscript>
            <p className="text-16">
              The claims, and what we don’t claim, need JavaScript. With every plan you can lose all
              the money you invest.
            </p>
          </noscript>
          <Skeleton className="h-72 w-full rounded-card" />
          <div id="not-claimed">
            <Skeleton className="h-96 w-full rounded-card" />
          </div>
        </>
      )}
    </Section>
  )
}

function isShown(claim: Claim): claim is Shown {
  return claim.state !== 'withheld'
}

function ClaimCard({ claim }: { claim: Shown }) {
  const isDemo = useIsDemo()
  const isDemoEvidence = isDemo && claim.state === 'proved'
  const { icon: Icon, words } = isDemoEvidence ? DEMO_STATE : STATES[claim.state]
  const figure = findFigure(claim)
  return (
    <li className="@container rounded-card border border-line bg-surface p-5">
      <div className="grid @lg:grid-cols-[2fr_3fr] gap-x-8 gap-y-4">
        <div className="grid content-start gap-3">
          <span
            className={
              isDemoEvidence
                ? 'flex w-fit items-center gap-1.5 rounded-full bg-info-soft px-2.5 py-0.5 font-medium text-12 text-info'
                : 'flex items-center gap-1.5 text-12 text-muted'
            }
          >
            <Icon aria-hidden="true" className="size-3.5" />
            {words}
          </span>
          {figure !== null && (
            <p className="tabular font-semibold text-40 tracking-tight">{figure}</p>
          )}
          <h3 className="font-semibold text-16">{claim.text}</h3>
        </div>
        <div className="grid content-start gap-3">
          {claim.evidence.length > 0 && (
            <dl className="grid gap-2 text-14">
              {claim.evidence.map(({ label, value, link, isLimit }) => (
                // The limits of a claim have the same font size as the claim, so that readers read the
                // limits with the claim. A long text is below its label.
                <div
                  key={label}
                  className={joinClasses(
                    'flex justify-between gap-x-6 border-line border-b pb-2',
                    isLimit && 'font-semibold text-16',
                    value.length > 40 && 'flex-wrap',
                  )}
                >
                  <dt className="shrink-0 text-muted">{label}</dt>
                  <dd>
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
            <p className="pt-2">{claim.rule}</p>
            <p className="pt-1 text-12">
              As of <UtcMoment at={claim.asOf} />
            </p>
          </details>
        </div>
      </div>
    </li>
  )
}
