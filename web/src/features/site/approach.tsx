import { useQuery } from '@tanstack/react-query'

import { joinClasses } from '../../shared/ui/join-classes.ts'
import { Section } from '../../shared/ui/section.tsx'
import { type Claim, publicClaimQueries } from '../claims/index.ts'

type Stone = {
  caption: string
  fact: string
  width: string
  tone: string
  /**
   * A claim of the same subject. While the claim is not made, or not known, the stone is an outline.
   */
  claim?: Claim['key']
}

const STONES: readonly Stone[] = [
  {
    caption: 'High-Yield Returns',
    fact: 'The percentage is for the whole term, not for a year.',
    width: 'w-[52%]',
    tone: 'bg-[var(--stone-3)] text-[var(--on-stone)]',
  },
  {
    caption: 'Expert Guidance',
    fact: 'Nothing on this site is personal advice.',
    claim: 'expert-guidance',
    width: 'w-[62%]',
    tone: 'bg-[var(--stone-3)] text-[var(--on-stone)]',
  },
  {
    caption: 'Trusted Platform',
    fact: 'The ledger is append-only, and its signed root can be checked by anyone.',
    width: 'w-[74%]',
    tone: 'bg-[var(--stone-2)] text-[var(--on-stone)]',
  },
  {
    caption: 'Passive Income',
    fact: 'Profit is credited every hour or every day of the term, each time as one event.',
    width: 'w-[87%]',
    tone: 'bg-[var(--stone-2)] text-[var(--on-stone)]',
  },
  {
    caption: 'Secure Transactions',
    fact: 'A withdrawal is held when you request it, paid by an administrator, then approved.',
    width: 'w-full',
    tone: 'bg-[var(--stone-1)] text-on-accent',
  },
]

/** Says that the five aims are no promises, and shows them as stacked stones, each with one fact. */
export function Approach() {
  const claims = useQuery(publicClaimQueries.listClaims()).data
  return (
    <Section
      title="Our investment approach"
      text="Five aims. Returns are not guaranteed: you can lose all the money you invest."
    >
      <ul className="grid gap-2">
        {STONES.map(({ caption, fact, width, tone, claim }) => {
          const isWithheld =
            claim && !claims?.some(({ key, state }) => key === claim && state !== 'withheld')
          return (
            <li key={caption} className="grid items-center gap-x-8 gap-y-2 sm:grid-cols-2">
              <span className="grid justify-items-center">
                <span
                  className={joinClasses(
                    'flex h-14 items-center justify-center rounded-[50%] px-3 text-center font-medium text-16',
                    width,
                    isWithheld ? 'border border-line-strong' : tone,
                  )}
                >
                  {caption}
                </span>
              </span>
              <span className="pb-4 text-14 text-muted sm:pb-0 sm:text-16">
                {/* The line keeps its height while the claims load. */}
                {claim && (
                  <span className="block min-h-lh font-medium text-ink">
                    {claims && isWithheld && 'Not claimed today.'}
                  </span>
                )}
                {fact}
              </span>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
