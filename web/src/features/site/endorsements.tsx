import type { PublicEndorsement } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'

import { Section } from '../../shared/ui/section.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { publicEndorsementQueries } from '../endorsements/index.ts'
import { settingsQueries } from '../settings/index.ts'
import { ContentMark } from './content-mark.tsx'

type Kind = PublicEndorsement['kind']
type Shown = Pick<PublicEndorsement, 'id' | 'name' | 'role' | 'quote'> & { mark: string | null }

const createSample = (name: string, quote: string | null = null): Shown => ({
  id: name,
  name,
  quote,
  role: null,
  mark: 'Sample',
})

/**
 * The samples that the demo shows if the operator has added no entries. The people and companies
 * are fictional.
 */
const SAMPLES: Readonly<Record<Kind, readonly Shown[]>> = {
  sponsor: ['Northmark', 'Ledgerline', 'Fieldstone', 'Harbour & Co'].map((name) =>
    createSample(name),
  ),
  testimonial: [
    createSample('Amara', 'I see the event behind each cent of profit.'),
    createSample('Jonas', 'I knew the fee before I pressed the button.'),
    createSample('Mei', 'My deposit was declined with a reason I understood.'),
  ],
}

/**
 * Shows the testimonials that the operator has added and, with `withSponsors`, the sponsors below
 * them. Without entries, a demo shows samples, and a site that is not a demo shows nothing. The
 * public settings contain the number of entries. While the entries load, a placeholder keeps their
 * place, so that the page does not move.
 */
export function Endorsements({ withSponsors = false }: { withSponsors?: boolean }) {
  const settings = useQuery(settingsQueries.readPublic()).data
  const counts = settings?.endorsementCounts ?? { testimonial: 0, sponsor: 0 }
  const isStored = counts.testimonial + counts.sponsor > 0
  const { data } = useQuery({ ...publicEndorsementQueries.listEndorsements(), enabled: isStored })
  if (isStored && data === undefined) return <Skeleton className="block h-72 w-full" />
  const list = (of: Kind): readonly Shown[] => {
    if (counts[of] === 0) return settings?.isDemo === true ? SAMPLES[of] : []
    return (data ?? []).filter(({ kind }) => kind === of).map(toShownEndorsement)
  }
  const testimonials = list('testimonial')
  const sponsors = withSponsors ? list('sponsor') : []
  const shown = [...testimonials, ...sponsors]
  if (shown.length === 0) return null
  return (
    <Section
      title={testimonials.length > 0 ? 'Testimonials' : 'Sponsors'}
      text={
        shown.some(({ mark }) => mark === 'Sample') && 'What is marked as a sample is fictional.'
      }
    >
      {testimonials.length > 0 && <Testimonials entries={testimonials} />}
      {sponsors.length > 0 && <Sponsors entries={sponsors} isAlone={testimonials.length === 0} />}
    </Section>
  )
}

function toShownEndorsement(entry: PublicEndorsement): Shown {
  return { ...entry, mark: entry.isPaid ? 'Paid' : null }
}

type EntriesProps = { entries: readonly Shown[] }

function Testimonials({ entries }: EntriesProps) {
  return (
    <ul className="grid gap-8 lg:grid-cols-3">
      {entries.map(({ id, name, role, quote, mark }) => (
        <li key={id}>
          <figure className="wrap-anywhere grid content-start gap-3">
            <blockquote className="text-16">“{quote}”</blockquote>
            <figcaption className="flex flex-wrap items-center gap-x-3 gap-y-2 text-14 text-muted">
              {role === null ? name : `${name}, ${role}`}
              {mark !== null && <ContentMark text={mark} />}
            </figcaption>
          </figure>
        </li>
      ))}
    </ul>
  )
}

function Sponsors({ entries, isAlone }: EntriesProps & { isAlone: boolean }) {
  return (
    <div className="grid items-center gap-x-8 gap-y-4 border-line border-t pt-8 lg:grid-cols-[8rem_1fr]">
      {!isAlone && <h2 className="font-semibold text-16">Sponsors</h2>}
      <ul className="grid grid-cols-2 gap-x-8 gap-y-4 lg:grid-cols-4">
        {entries.map(({ id, name, mark }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="wrap-anywhere font-serif text-20 text-muted">{name}</span>
            {mark !== null && <ContentMark text={mark} />}
          </li>
        ))}
      </ul>
    </div>
  )
}
